// Recipes: what a request says about step model, neighbourhood and limits
// becomes what an engine is built from.
#ifndef TALWEG_SERVICE_CONVERTERS_RECIPE_H_
#define TALWEG_SERVICE_CONVERTERS_RECIPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"
#include "talweg/query/points.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/service/limits.h"
#include "talweg/v1/recipe.pb.h"

namespace talweg::service {

// A recipe on a pinned surface.
struct ResolvedRecipe {
  EngineRecipe engine;
  SnapRadius snap;
  v1::Recipe echo;  // every default filled in, the surface with its revision
};

// The name of the friction surface, "surfaces/{id}" or with "@{revision}".
// MISSING_FIELD, INVALID_VALUE.
absl::StatusOr<std::string> SurfaceNameFromProto(const v1::Recipe& proto);

// Field paths are below "recipe". INVALID_VALUE, MISSING_FIELD,
// GEOGRAPHIC_UNITS, LIMIT_EXCEEDED. `pinned_name` is what the echo says.
absl::StatusOr<ResolvedRecipe> RecipeFromProto(const v1::Recipe& proto,
                                               const SurfaceDescription& description,
                                               const std::string& pinned_name,
                                               const ServiceLimits& limits);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_RECIPE_H_
