#include "talweg/search/engine_recipe.h"

#include <cmath>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg {

absl::Status ValidateEngineRecipe(const EngineRecipe& recipe) {
  const auto& lengths = recipe.lengths;
  for (const double length :
       {lengths.along_cols, lengths.along_rows, lengths.diagonal_se, lengths.diagonal_ne}) {
    if (!(std::isfinite(length) && length > 0)) {
      return InvalidValue("lengths", length, "finite numbers > 0");
    }
  }
  if (!(recipe.max_cost >= 0)) return InvalidValue("max_cost", recipe.max_cost, "a number >= 0");
  if (recipe.max_cells == 0) return InvalidValue("max_cells", "0", "an integer >= 1");
  return ValidateFrictionRule(recipe.friction);
}

}  // namespace talweg
