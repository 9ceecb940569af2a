// Points of interest in: CSV with a header, and any layer OGR reads.
#ifndef TALWEG_FORMATS_POINT_READER_H_
#define TALWEG_FORMATS_POINT_READER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/v1/path.pb.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::formats {

struct PointReadOptions {
  // Names the column or field of ids. Empty: "id", for OGR layers else "name",
  // else the feature id. A point without an id gets its number, from 0.
  std::string id_field;
};

struct PointInput {
  std::vector<v1::Point> points;      // in the order of the file, ids unique
  std::vector<std::string> warnings;  // whole sentences
};

// Reads the points of a file, in cells or in the coordinates of the surface
// with this CRS. Errors name the file and the line, row or feature.
//
// - .csv, .txt and .tsv: see csv_points.h.
// - Everything else: the one layer with points that OGR finds. Point and
//   MultiPoint (the parts of one feature are ID.0, ID.1, ...); coordinates in
//   another CRS than the surface's are transformed, longitude before latitude
//   whatever the authority says. A point that cannot be transformed is put
//   outside the surface, with a warning.
absl::StatusOr<PointInput> ReadPoints(const std::string& path, const v1::Crs& surface_crs,
                                      const PointReadOptions& options = {});

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_POINT_READER_H_
