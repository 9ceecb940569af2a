#include "csv_table.h"

#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {

void CsvReader::TakeLineEnd() {
  if (text_.empty()) return;
  const bool is_pair = text_.starts_with("\r\n");
  text_.remove_prefix(is_pair ? 2 : 1);
  ++line_;
}

void CsvReader::SkipBlanks() {
  while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t') && text_[0] != delimiter_) {
    text_.remove_prefix(1);
  }
}

absl::StatusOr<CsvField> CsvReader::NextField() {
  SkipBlanks();
  CsvField field;
  if (text_.empty() || text_[0] != '"') {
    size_t end = 0;
    while (end < text_.size() && text_[end] != delimiter_ && text_[end] != '\n' &&
           text_[end] != '\r') {
      ++end;
    }
    field.text = text_.substr(0, end);
    while (!field.text.empty() && (field.text.back() == ' ' || field.text.back() == '\t')) {
      field.text.pop_back();
    }
    text_.remove_prefix(end);
    return field;
  }
  const int64_t opened = line_;
  field.quoted = true;
  text_.remove_prefix(1);
  while (true) {
    if (text_.empty()) {
      return FileLine(path_, opened, "a quoted value is never closed", "a closing \"");
    }
    if (text_.starts_with("\"\"")) {
      field.text += '"';
      text_.remove_prefix(2);
    } else if (text_[0] == '"') {
      text_.remove_prefix(1);
      break;
    } else {
      if (text_[0] == '\n' || (text_[0] == '\r' && !text_.starts_with("\r\n"))) ++line_;
      field.text += text_[0];
      text_.remove_prefix(1);
    }
  }
  SkipBlanks();
  if (!AtLineEnd() && text_[0] != delimiter_) {
    return FileLine(path_, line_, "text follows a quoted value",
                    "the delimiter or the end of the line (a quote inside is written \"\")");
  }
  return field;
}

absl::StatusOr<CsvRecord> CsvReader::Next() {
  CsvRecord record;
  while (!text_.empty()) {
    SkipBlanks();
    if (!AtLineEnd()) break;
    TakeLineEnd();
  }
  if (text_.empty()) return record;
  record.line = line_;
  while (true) {
    TALWEG_ASSIGN_OR_RETURN(CsvField field, NextField());
    record.fields.push_back(std::move(field));
    if (AtLineEnd()) break;
    text_.remove_prefix(1);  // the delimiter
  }
  TakeLineEnd();
  return record;
}

}  // namespace talweg::formats
