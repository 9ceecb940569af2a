// Points of interest: positions in, reports of where they landed out.
#ifndef TALWEG_SERVICE_CONVERTERS_POINTS_H_
#define TALWEG_SERVICE_CONVERTERS_POINTS_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"
#include "talweg/query/points.h"
#include "talweg/service/limits.h"
#include "talweg/v1/path.pb.h"

namespace talweg::service {

// `field` is the list's path ("sources"). EMPTY_LIST when it holds nothing,
// LIMIT_EXCEEDED (max_points), MISSING_FIELD for a point without a position,
// INVALID_VALUE. Cells and map points outside of the surface are fine.
absl::StatusOr<std::vector<PointPosition>> PointsFromProto(const v1::PointList& proto,
                                                           std::string_view field,
                                                           const ServiceLimits& limits);

// Where a point landed. A point outside reports the position it was given.
v1::PointReport PointReportToProto(const v1::Point& point, const ResolvedPoint& resolved,
                                   const GeoTransform& geotransform);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_POINTS_H_
