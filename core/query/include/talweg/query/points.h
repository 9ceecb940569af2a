// From points of interest to cells.
#ifndef TALWEG_QUERY_POINTS_H_
#define TALWEG_QUERY_POINTS_H_

#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/cost/cost_surface.h"

namespace talweg {

// A point as a request gives it.
struct PointPosition {
  std::variant<Cell, MapPoint> position;
  double start_cost = 0;
};

// Numbers are those of the wire format.
enum class PointOutcome : uint8_t { kOk = 1, kOutside = 2, kImpassable = 3 };

struct ResolvedPoint {
  PointOutcome outcome = PointOutcome::kOutside;
  Cell cell{};             // after snapping; where it would be when outside
  double moved_cells = 0;  // straight distance of snapping, in cells
  double start_cost = 0;
};

// How far a point on an impassable cell may move, as half axes in cells of the
// ellipse it may move in (a radius in metres is wider in cells where cells are
// small). 0, 0: not at all.
struct SnapRadius {
  double rows = 0;
  double cols = 0;
};

// The cell of a point. An impassable cell is replaced by the nearest passable
// one within the radius: by straight distance in the metric of the ellipse,
// ties by smaller flat index. A point outside stays outside.
ResolvedPoint ResolvePoint(const CostSurfaceView& surface, const FrictionRule& rule,
                           const PointPosition& point, const SnapRadius& snap);

std::vector<ResolvedPoint> ResolvePoints(const CostSurfaceView& surface, const FrictionRule& rule,
                                         const std::vector<PointPosition>& points,
                                         const SnapRadius& snap);

}  // namespace talweg

#endif  // TALWEG_QUERY_POINTS_H_
