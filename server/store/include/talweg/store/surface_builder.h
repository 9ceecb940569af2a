// A surface on its way into shared memory.
#ifndef TALWEG_STORE_SURFACE_BUILDER_H_
#define TALWEG_STORE_SURFACE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"
#include "talweg/store/checksum.h"
#include "talweg/store/segment.h"
#include "talweg/store/shared_cost_surface.h"

namespace talweg::store {

// Takes the cells front to back, hashing as they come, and seals them. Not
// thread-safe; dropped, its memory is freed.
class SurfaceBuilder {
 public:
  // Reserves all memory now, so that no later step can lack it. Fails like
  // ValidateDescription; OUT_OF_MEMORY, SYSTEM_CALL.
  static absl::StatusOr<SurfaceBuilder> Create(SurfaceDescription description);

  uint64_t filled_bytes() const { return filled_bytes_; }
  uint64_t size_bytes() const { return description_.size_bytes(); }
  const SurfaceDescription& description() const { return description_; }

  // Precondition: data fits into size_bytes() - filled_bytes().
  void Append(std::string_view data);

  // Of the cells so far: XXH3-128, kept up as they come, and SHA-256, computed
  // now.
  Digest128 CellsDigest() const { return hasher_.Digest(); }
  std::string CellsSha256();

  // Counts the cells, writes the header, seals, and maps what was sealed.
  // Precondition: filled. NEGATIVE_FRICTION, SYSTEM_CALL.
  absl::StatusOr<std::shared_ptr<const SharedCostSurface>> Seal(std::string name) &&;

 private:
  SurfaceBuilder(SurfaceDescription description, WritableSegment segment,
                 uint64_t data_offset_bytes);
  std::span<std::byte> Cells();

  SurfaceDescription description_;
  WritableSegment segment_;
  uint64_t data_offset_bytes_;
  uint64_t filled_bytes_ = 0;
  Xxh3Hasher hasher_;
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_SURFACE_BUILDER_H_
