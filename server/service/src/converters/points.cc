#include "talweg/service/converters/points.h"

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/fields.h"

namespace talweg::service {
namespace {

// Field paths are below the point: they are completed only when a check fails,
// for a list has up to 100 000 points.
absl::StatusOr<PointPosition> PointFromProto(const v1::Point& proto, const ServiceLimits& limits) {
  TALWEG_RETURN_IF_ERROR(CheckLength("id", proto.id(), limits.max_point_id_bytes));
  TALWEG_RETURN_IF_ERROR(CheckFiniteNonNegative("start_cost", proto.start_cost()));
  PointPosition point;
  point.start_cost = proto.start_cost() + 0.0;  // -0.0 is 0
  switch (proto.position_case()) {
    case v1::Point::kCell:
      point.position = Cell{proto.cell().row(), proto.cell().col()};
      return point;
    case v1::Point::kXy:
      TALWEG_RETURN_IF_ERROR(CheckFinite("xy.x", proto.xy().x()));
      TALWEG_RETURN_IF_ERROR(CheckFinite("xy.y", proto.xy().y()));
      point.position = MapPoint{proto.xy().x(), proto.xy().y()};
      return point;
    case v1::Point::POSITION_NOT_SET:
      break;
  }
  return MissingField("position", "cell or xy");
}

}  // namespace

absl::StatusOr<std::vector<PointPosition>> PointsFromProto(const v1::PointList& proto,
                                                           std::string_view field,
                                                           const ServiceLimits& limits) {
  if (proto.points().empty()) return EmptyList(field);
  TALWEG_RETURN_IF_ERROR(
      CheckLimit("max_points", static_cast<uint64_t>(proto.points_size()), limits.max_points));
  std::vector<PointPosition> points;
  points.reserve(static_cast<size_t>(proto.points_size()));
  for (int i = 0; i < proto.points_size(); ++i) {
    const absl::StatusOr<PointPosition> point = PointFromProto(proto.points(i), limits);
    if (!point.ok()) {
      return PrependField(point.status(), ElementField(std::string(field) + ".points", i, ""));
    }
    points.push_back(*point);
  }
  return points;
}

v1::PointReport PointReportToProto(const v1::Point& point, const ResolvedPoint& resolved,
                                   const GeoTransform& geotransform) {
  v1::PointReport report;
  report.set_id(point.id());
  report.set_outcome(static_cast<v1::PointOutcome>(resolved.outcome));
  if (resolved.outcome == PointOutcome::kOutside) {
    if (point.has_cell()) *report.mutable_cell() = point.cell();
    if (point.has_xy()) *report.mutable_xy() = point.xy();
    return report;
  }
  report.mutable_cell()->set_row(resolved.cell.row);
  report.mutable_cell()->set_col(resolved.cell.col);
  const MapPoint centre = geotransform.CellCentre(resolved.cell);
  report.mutable_xy()->set_x(centre.x);
  report.mutable_xy()->set_y(centre.y);
  report.set_moved_cells(resolved.moved_cells);
  return report;
}

}  // namespace talweg::service
