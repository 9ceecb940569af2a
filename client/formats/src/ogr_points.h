#ifndef TALWEG_FORMATS_SRC_OGR_POINTS_H_
#define TALWEG_FORMATS_SRC_OGR_POINTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "talweg/formats/point_reader.h"

namespace talweg::formats {

// ReadPoints for what OGR opens.
absl::StatusOr<PointInput> ReadOgrPoints(const std::string& path, const v1::Crs& surface_crs,
                                         const PointReadOptions& options);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_OGR_POINTS_H_
