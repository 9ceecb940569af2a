// Counts made once, when a surface is stored.
#ifndef TALWEG_COST_SURFACE_STATISTICS_H_
#define TALWEG_COST_SURFACE_STATISTICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/cost/cost_surface.h"

namespace talweg {

// Trivially copyable: it is part of a segment's header page.
struct SurfaceStatistics {
  int64_t passable_cells = 0;
  int64_t zero_cells = 0;      // of the passable ones
  int64_t nodata_cells = 0;    // nodata values and NaN
  int64_t negative_cells = 0;  // impassable by policy
  int64_t infinite_cells = 0;
  double smallest_positive_friction = 0;  // 0 when there is none
  double largest_friction = 0;            // of the passable cells

  friend bool operator==(const SurfaceStatistics&, const SurfaceStatistics&) = default;
};

// One pass over the cells, O(rows * cols). NEGATIVE_FRICTION when the
// description's policy is kError and a cell is negative.
absl::StatusOr<SurfaceStatistics> ComputeStatistics(const CostSurfaceView& surface);

// What a user should be told of these counts, in whole sentences; empty when
// nothing is remarkable.
std::vector<std::string> SurfaceWarnings(const SurfaceStatistics& statistics);

}  // namespace talweg

#endif  // TALWEG_COST_SURFACE_STATISTICS_H_
