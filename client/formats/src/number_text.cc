#include "number_text.h"

#include <array>
#include <charconv>

#include "talweg/formats/provenance.h"

namespace talweg::formats {
namespace {

// Room for "-" and 17 digits, a point, an exponent, or 309 digits of a fixed number.
constexpr size_t kMaxNumberBytes = 400;

}  // namespace

void AppendNumber(std::string& text, double value) {
  std::array<char, kMaxNumberBytes> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::general, 17);
  text.append(buffer.data(), result.ptr);
}

void AppendFixed(std::string& text, double value, int decimals) {
  std::array<char, kMaxNumberBytes> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::fixed, decimals);
  text.append(buffer.data(), result.ptr);
}

void AppendInteger(std::string& text, int64_t value) {
  std::array<char, kMaxNumberBytes> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), result.ptr);
}

void AppendJsonString(std::string& text, std::string_view value) {
  text += Json(std::string(value)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void AppendCsvField(std::string& text, std::string_view value) {
  const bool needs_quotes = value.find_first_of(",\"\r\n") != std::string_view::npos ||
                            (!value.empty() && (value.front() == ' ' || value.back() == ' '));
  if (!needs_quotes) {
    text += value;
    return;
  }
  text += '"';
  for (const char c : value) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace talweg::formats
