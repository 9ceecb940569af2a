// What an engine is built from: small, plain, and all that ever travels.
#ifndef TALWEG_SEARCH_ENGINE_RECIPE_H_
#define TALWEG_SEARCH_ENGINE_RECIPE_H_

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "talweg/cost/friction.h"
#include "talweg/cost/step_model.h"
#include "talweg/grid/neighbourhood.h"

namespace talweg {

inline constexpr double kNoMaxCost = std::numeric_limits<double>::infinity();
inline constexpr uint64_t kNoMaxCells = std::numeric_limits<uint64_t>::max();

// A recipe with every default filled in. Lengths are in the unit the caller
// chose; costs come out in friction unit x length unit.
struct EngineRecipe {
  StepModel step_model = StepModel::kMean;
  Neighbourhood neighbourhood = Neighbourhood::kEight;
  StepLengths lengths;
  FrictionRule friction;             // added to the surface's own nodata values
  double max_cost = kNoMaxCost;      // inclusive
  uint64_t max_cells = kNoMaxCells;  // work limit of one search
};

// INVALID_VALUE for lengths that are not finite and > 0, a max_cost that is
// NaN or negative, max_cells of 0, or a bad friction rule.
absl::Status ValidateEngineRecipe(const EngineRecipe& recipe);

}  // namespace talweg

#endif  // TALWEG_SEARCH_ENGINE_RECIPE_H_
