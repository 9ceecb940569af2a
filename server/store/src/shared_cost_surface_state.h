// What a SharedCostSurface holds; shared by it and its builder only.
#ifndef TALWEG_STORE_SHARED_COST_SURFACE_STATE_H_
#define TALWEG_STORE_SHARED_COST_SURFACE_STATE_H_

#include <string>

#include "talweg/store/segment.h"
#include "talweg/store/segment_header.h"
#include "talweg/store/shared_cost_surface.h"

namespace talweg::store {

struct SharedCostSurface::State {
  FileDescriptor segment;
  SegmentMapping mapping;
  ParsedSegment parsed;
  std::string name;
  std::string revision;
  std::string checksum;
  absl::Time publish_time = absl::InfinitePast();

  // Verifies and maps. SEGMENT_INVALID, SYSTEM_CALL.
  static absl::StatusOr<std::unique_ptr<State>> Open(FileDescriptor segment);
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_SHARED_COST_SURFACE_STATE_H_
