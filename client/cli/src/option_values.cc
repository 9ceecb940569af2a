#include "option_values.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::cli {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <class T>
std::optional<T> Parse(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The two halves of "A,B"; nothing when there are not two.
std::optional<std::pair<std::string_view, std::string_view>> Split(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  return std::pair(text.substr(0, comma), text.substr(comma + 1));
}

}  // namespace

absl::StatusOr<double> ParseNumber(std::string_view option, std::string_view text,
                                   std::string_view expected) {
  const auto value = Parse<double>(text);
  if (!value) return InvalidValue(option, text, expected);
  return *value;
}

absl::StatusOr<double> ParseNonNegative(std::string_view option, std::string_view text) {
  constexpr std::string_view kExpected = "a finite number >= 0";
  TALWEG_ASSIGN_OR_RETURN(const double value, ParseNumber(option, text, kExpected));
  if (!std::isfinite(value) || value < 0) return InvalidValue(option, text, kExpected);
  return value;
}

absl::StatusOr<int64_t> ParseWhole(std::string_view option, std::string_view text,
                                   std::string_view expected) {
  const auto value = Parse<int64_t>(text);
  if (!value) return InvalidValue(option, text, expected);
  return *value;
}

absl::StatusOr<std::pair<int64_t, int64_t>> ParseCell(std::string_view option,
                                                      std::string_view text) {
  const auto halves = Split(text);
  const auto row = halves ? Parse<int64_t>(halves->first) : std::nullopt;
  const auto col = halves ? Parse<int64_t>(halves->second) : std::nullopt;
  if (!row || !col) {
    return InvalidValue(option, text,
                        "ROW,COL: two whole numbers that count cells from 0, "
                        "e.g. 12,40");
  }
  return std::pair(*row, *col);
}

absl::StatusOr<std::pair<double, double>> ParsePair(std::string_view option, std::string_view text,
                                                    std::string_view expected) {
  const auto halves = Split(text);
  const auto first = halves ? Parse<double>(halves->first) : std::nullopt;
  const auto second = halves ? Parse<double>(halves->second) : std::nullopt;
  if (!first || !second || !std::isfinite(*first) || !std::isfinite(*second)) {
    return InvalidValue(option, text, expected);
  }
  return std::pair(*first, *second);
}

absl::StatusOr<std::vector<double>> ParseNumberLists(std::string_view option,
                                                     const std::vector<std::string>& lists) {
  std::vector<double> values;
  for (const std::string& list : lists) {
    std::string_view rest = list;
    while (true) {
      const size_t comma = rest.find(',');
      TALWEG_ASSIGN_OR_RETURN(const double value, ParseNumber(option, rest.substr(0, comma),
                                                              "numbers, separated by commas"));
      values.push_back(value);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return values;
}

}  // namespace talweg::cli
