// The error catalogue of files: what can be wrong with one, said with its name,
// the problem and what would have been accepted. Unlike the server's messages
// these name paths: they are the user's own.
#ifndef TALWEG_FORMATS_FILE_ERRORS_H_
#define TALWEG_FORMATS_FILE_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace talweg::formats {

// INVALID_ARGUMENT, FILE_UNREADABLE: it is not there, or no reader opens it.
absl::Status FileUnreadable(std::string_view path, std::string_view why);

// INVALID_ARGUMENT, FILE_CONTENT: it was read and is not what is needed.
absl::Status FileContent(std::string_view path, std::string_view problem,
                         std::string_view expected);

// INVALID_ARGUMENT, FILE_LINE: one line of a text file; lines count from 1.
absl::Status FileLine(std::string_view path, int64_t line, std::string_view problem,
                      std::string_view expected);

// INVALID_ARGUMENT, VALUE_NOT_EXACT: the first value that no stored type holds.
absl::Status ValueNotExact(std::string_view path, std::string_view value, int64_t row, int64_t col);

// INVALID_ARGUMENT, OUTPUT_FORMAT: an extension that names no output format.
absl::Status UnknownOutputFormat(std::string_view path, std::string_view expected);

// INVALID_ARGUMENT, FILE_UNWRITABLE: known before any work was done.
absl::Status FileUnwritable(std::string_view path, std::string_view why);

// INTERNAL, WRITE_FAILED: a disk that filled up, and the like.
absl::Status WriteFailed(std::string_view path, std::string_view why);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_FILE_ERRORS_H_
