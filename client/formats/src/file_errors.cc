#include "talweg/formats/file_errors.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "talweg/base/errors.h"

namespace talweg::formats {
namespace {

// Debian's abseil is built with its own string_view: convert at this border.
absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }

std::string WithExpectation(std::string_view problem, std::string_view expected) {
  if (expected.empty()) return std::string(problem);
  return absl::StrCat(ToAbsl(problem), "; expected ", ToAbsl(expected));
}

absl::Status Wrong(std::string_view reason, std::string_view message, std::string_view path,
                   std::string_view expected) {
  return MakeError(absl::StatusCode::kInvalidArgument, message,
                   {.reason = std::string(reason),
                    .field = std::string(path),
                    .value = "",
                    .valid_range = std::string(expected),
                    .retry_delay = std::nullopt});
}

}  // namespace

absl::Status FileUnreadable(std::string_view path, std::string_view why) {
  return Wrong("FILE_UNREADABLE", absl::StrCat(ToAbsl(path), ": cannot be read: ", ToAbsl(why)),
               path, "");
}

absl::Status FileContent(std::string_view path, std::string_view problem,
                         std::string_view expected) {
  return Wrong("FILE_CONTENT", absl::StrCat(ToAbsl(path), ": ", WithExpectation(problem, expected)),
               path, expected);
}

absl::Status FileLine(std::string_view path, int64_t line, std::string_view problem,
                      std::string_view expected) {
  return Wrong(
      "FILE_LINE",
      absl::StrCat(ToAbsl(path), ": line ", line, ": ", WithExpectation(problem, expected)), path,
      expected);
}

absl::Status ValueNotExact(std::string_view path, std::string_view value, int64_t row,
                           int64_t col) {
  return Wrong(
      "VALUE_NOT_EXACT",
      absl::StrCat(ToAbsl(path), ": the value ", ToAbsl(value), " at row ", row, ", column ", col,
                   " fits no type a surface is stored in (uint8 to int32, float32, "
                   "float64) exactly; expected integers up to 2^53, or such that a "
                   "float64 holds"),
      path, "values that a float64 holds exactly");
}

absl::Status UnknownOutputFormat(std::string_view path, std::string_view expected) {
  return Wrong("OUTPUT_FORMAT",
               absl::StrCat(ToAbsl(path),
                            ": the extension names no format that can be written "
                            "here; expected ",
                            ToAbsl(expected)),
               path, expected);
}

absl::Status FileUnwritable(std::string_view path, std::string_view why) {
  return Wrong("FILE_UNWRITABLE", absl::StrCat(ToAbsl(path), ": cannot be written: ", ToAbsl(why)),
               path, "");
}

absl::Status WriteFailed(std::string_view path, std::string_view why) {
  return MakeError(absl::StatusCode::kInternal,
                   absl::StrCat(ToAbsl(path), ": writing failed: ", ToAbsl(why)),
                   {.reason = "WRITE_FAILED",
                    .field = std::string(path),
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

}  // namespace talweg::formats
