// The values of options: numbers, pairs and lists, with errors that name the
// option, the value and what would be accepted.
#ifndef TALWEG_CLI_OPTION_VALUES_H_
#define TALWEG_CLI_OPTION_VALUES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace talweg::cli {

// INVALID_VALUE for text that is no number; NaN and infinities are numbers here.
absl::StatusOr<double> ParseNumber(std::string_view option, std::string_view text,
                                   std::string_view expected);
// Finite numbers >= 0.
absl::StatusOr<double> ParseNonNegative(std::string_view option, std::string_view text);
absl::StatusOr<int64_t> ParseWhole(std::string_view option, std::string_view text,
                                   std::string_view expected);

// "R,C" and "X,Y".
absl::StatusOr<std::pair<int64_t, int64_t>> ParseCell(std::string_view option,
                                                      std::string_view text);
absl::StatusOr<std::pair<double, double>> ParsePair(std::string_view option, std::string_view text,
                                                    std::string_view expected);

// "V[,V...]", any number of times.
absl::StatusOr<std::vector<double>> ParseNumberLists(std::string_view option,
                                                     const std::vector<std::string>& lists);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_OPTION_VALUES_H_
