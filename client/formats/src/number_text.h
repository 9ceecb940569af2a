// Numbers and strings in text outputs.
#ifndef TALWEG_FORMATS_SRC_NUMBER_TEXT_H_
#define TALWEG_FORMATS_SRC_NUMBER_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace talweg::formats {

// 17 significant digits: reads back to the same double. Appends.
void AppendNumber(std::string& text, double value);
// With a fixed number of decimals.
void AppendFixed(std::string& text, double value, int decimals);
void AppendInteger(std::string& text, int64_t value);
// A JSON string with its quotes; invalid UTF-8 is replaced.
void AppendJsonString(std::string& text, std::string_view value);
// A CSV field, quoted where RFC 4180 needs it.
void AppendCsvField(std::string& text, std::string_view value);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_NUMBER_TEXT_H_
