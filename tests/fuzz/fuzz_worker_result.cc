// A result as the server receives it from a worker that may be broken.
#include <cstddef>
#include <cstdint>

#include "talweg/workers/task_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace talweg;  // NOLINT(google-build-using-namespace): one function
  const Shape shape{50, 70};
  worker::v1::Reply reply;
  if (!reply.ParseFromArray(data, static_cast<int>(size))) return 0;
  workers::PathsWork paths;
  paths.items.push_back(
      {.source = {.cell = 3}, .destinations = {5, 3, 900}, .paths = Paths::kInclude});
  const auto answer = workers::PathsAnswerFromProto(reply.paths(), paths, shape);
  if (answer.ok()) {
    for (const PairAnswer& pair : answer->items.at(0).pairs) {
      // A path that was let through stays on the surface.
      if (pair.outcome == Outcome::kOk && !PathCells(pair.path, shape).ok()) __builtin_trap();
    }
  }
  workers::FieldWork field;
  field.request.sources = {{.cell = 3}};
  field.request.destinations = {5};
  (void)workers::FieldSummaryFromProto(reply.field(), field, workers::LayoutOf(field, shape));
  (void)workers::StatusFromProto(reply.error());
  return 0;
}
