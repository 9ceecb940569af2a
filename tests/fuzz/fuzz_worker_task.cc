// A dispatch as a worker receives it.
#include <cstddef>
#include <cstdint>

#include "talweg/workers/task_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  talweg::worker::v1::Dispatch dispatch;
  if (!dispatch.ParseFromArray(data, static_cast<int>(size))) return 0;
  (void)talweg::workers::RecipeFromProto(dispatch.recipe());
  (void)talweg::workers::WorkFromProto(dispatch, talweg::Shape{50, 70});
  return 0;
}
