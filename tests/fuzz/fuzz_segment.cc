// A segment as another process might send it. The first byte chooses whether
// the header's digest is made to fit, so that what lies behind it is reached.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "talweg/cost/surface_statistics.h"
#include "talweg/store/segment_header.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace talweg;  // NOLINT(google-build-using-namespace): one function
  if (size == 0) return 0;
  const bool mend_digest = data[0] % 2 == 0;
  // A sound segment of 3 x 4 cells, overwritten from its start by the input.
  SurfaceDescription description;
  description.shape = {3, 4};
  description.nodata = {7};
  description.crs.wkt = "LOCAL_CS[\"fuzz\"]";
  std::vector<std::byte> segment(store::PlanSegment(description).segment_bytes);
  store::WriteHeader(description, SurfaceStatistics{}, store::Digest128{}, segment);
  std::memcpy(segment.data(), data + 1, std::min(size - 1, segment.size()));
  if (mend_digest) {
    const store::Digest128 digest = store::HeaderDigest(segment);
    std::memcpy(segment.data() + offsetof(store::SegmentHeader, header_digest), &digest,
                sizeof digest);
  }
  const auto parsed = store::ParseSegment(segment);
  if (parsed.ok()) {
    // What passes must lie inside.
    const uint64_t end = parsed->data_offset_bytes + parsed->description.size_bytes();
    if (end > segment.size()) __builtin_trap();
  }
  return 0;
}
