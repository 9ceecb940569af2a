// A recipe as a client sends it.
#include <cstddef>
#include <cstdint>

#include "talweg/service/converters/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace talweg;  // NOLINT(google-build-using-namespace): one function
  v1::Recipe recipe;
  if (!recipe.ParseFromArray(data, static_cast<int>(size))) return 0;
  (void)service::SurfaceNameFromProto(recipe);
  SurfaceDescription description;
  description.shape = {50, 70};
  const auto resolved =
      service::RecipeFromProto(recipe, description, "surfaces/fuzz@0123456789abcdef", {});
  // What passes builds an engine.
  if (resolved.ok() && !ValidateEngineRecipe(resolved->engine).ok()) __builtin_trap();
  return 0;
}
