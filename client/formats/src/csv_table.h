// A delimited text table, row by row, with line numbers.
#ifndef TALWEG_FORMATS_SRC_CSV_TABLE_H_
#define TALWEG_FORMATS_SRC_CSV_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace talweg::formats {

struct CsvField {
  std::string text;  // unquoted; trimmed unless it was quoted
  bool quoted = false;
};

struct CsvRecord {
  int64_t line = 0;  // where it starts, from 1
  std::vector<CsvField> fields;
};

// Splits records of RFC 4180 with any delimiter. Line ends are LF, CRLF or CR;
// blank lines are skipped; a quoted field may hold delimiters, line ends and
// doubled quotes.
class CsvReader {
 public:
  // `text` is borrowed.
  CsvReader(std::string_view path, std::string_view text, char delimiter)
      : path_(path), text_(text), delimiter_(delimiter) {}

  // The next record; one without fields at the end. FILE_LINE for a quote
  // that is not closed, or followed by text.
  absl::StatusOr<CsvRecord> Next();

 private:
  absl::StatusOr<CsvField> NextField();
  bool AtLineEnd() const { return text_.empty() || text_[0] == '\n' || text_[0] == '\r'; }
  void TakeLineEnd();
  void SkipBlanks();

  std::string_view path_;
  std::string_view text_;
  char delimiter_;
  int64_t line_ = 1;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_CSV_TABLE_H_
