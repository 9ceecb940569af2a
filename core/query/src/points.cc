#include "talweg/query/points.h"

#include <algorithm>
#include <cmath>

namespace talweg {
namespace {

// Nearest passable cell in the ellipse around `cell`, which is impassable.
// O(area of the ellipse).
template <class T>
ResolvedPoint Snap(const CostSurfaceView& surface, const FrictionReader<T>& reader,
                   const Cell& cell, const SnapRadius& radius) {
  ResolvedPoint point{.outcome = PointOutcome::kImpassable, .cell = cell};
  const Shape& shape = surface.shape();
  const auto reach = [](double cells, int64_t size) {
    return static_cast<int64_t>(std::min(std::floor(cells), static_cast<double>(size)));
  };
  const int64_t reach_rows = reach(radius.rows, shape.rows);
  const int64_t reach_cols = reach(radius.cols, shape.cols);
  double nearest = std::numeric_limits<double>::infinity();
  // Row by row, column by column: of equally near cells the smallest flat
  // index is met first.
  for (int64_t row = std::max<int64_t>(cell.row - reach_rows, 0);
       row <= std::min(cell.row + reach_rows, shape.rows - 1); ++row) {
    for (int64_t col = std::max<int64_t>(cell.col - reach_cols, 0);
         col <= std::min(cell.col + reach_cols, shape.cols - 1); ++col) {
      const double along_rows = static_cast<double>(row - cell.row);
      const double along_cols = static_cast<double>(col - cell.col);
      // Distance in units of the radius; a half axis of 0 allows no move.
      const double scaled_rows = along_rows == 0 ? 0 : along_rows / radius.rows;
      const double scaled_cols = along_cols == 0 ? 0 : along_cols / radius.cols;
      const double distance = scaled_rows * scaled_rows + scaled_cols * scaled_cols;
      if (distance > 1 || !(distance < nearest)) continue;
      if (!IsPassable(reader(surface.cells<T>()(row, col)))) continue;
      nearest = distance;
      point.outcome = PointOutcome::kOk;
      point.cell = {row, col};
      point.moved_cells = std::hypot(along_rows, along_cols);
    }
  }
  return point;
}

}  // namespace

ResolvedPoint ResolvePoint(const CostSurfaceView& surface, const FrictionRule& rule,
                           const PointPosition& point, const SnapRadius& snap) {
  const MapPoint* const map_point = std::get_if<MapPoint>(&point.position);
  const Cell cell = map_point != nullptr ? surface.description().geotransform.CellAt(*map_point)
                                         : std::get<Cell>(point.position);
  ResolvedPoint resolved{.outcome = PointOutcome::kOutside, .cell = cell};
  if (Contains(surface.shape(), cell)) {
    resolved = VisitValueType(surface.value_type(), [&](auto tag) {
      using T = decltype(tag);
      const FrictionReader<T> reader(surface.WithOwnNodata(rule));
      if (IsPassable(reader(surface.cells<T>()(cell.row, cell.col)))) {
        return ResolvedPoint{.outcome = PointOutcome::kOk, .cell = cell};
      }
      return Snap<T>(surface, reader, cell, snap);
    });
  }
  resolved.start_cost = point.start_cost;
  return resolved;
}

std::vector<ResolvedPoint> ResolvePoints(const CostSurfaceView& surface, const FrictionRule& rule,
                                         const std::vector<PointPosition>& points,
                                         const SnapRadius& snap) {
  std::vector<ResolvedPoint> resolved;
  resolved.reserve(points.size());
  for (const PointPosition& point : points) {
    resolved.push_back(ResolvePoint(surface, rule, point, snap));
  }
  return resolved;
}

}  // namespace talweg
