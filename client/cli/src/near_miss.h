// Guesses what a misspelt option was meant to be.
#ifndef TALWEG_CLI_NEAR_MISS_H_
#define TALWEG_CLI_NEAR_MISS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talweg::cli {

// The candidate with the fewest letters to insert, delete, exchange or swap
// with a neighbour; nothing when each needs more than a third of the word.
std::optional<std::string> NearMiss(std::string_view word,
                                    const std::vector<std::string>& candidates);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_NEAR_MISS_H_
