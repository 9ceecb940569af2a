#include "talweg/formats/point_reader.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "crs.h"
#include "ogr_points.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/csv_points.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

bool IsText(const std::string& path) {
  const std::string extension =
      absl::AsciiStrToLower(std::filesystem::path(path).extension().string());
  return extension == ".csv" || extension == ".txt" || extension == ".tsv";
}

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return FileUnreadable(path, "it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) return FileUnreadable(path, std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return FileUnreadable(path, std::strerror(errno));
  return text;
}

// WGS 84 longitude and latitude to the surface's coordinates.
absl::Status TransformLonLat(const std::string& path, const v1::Crs& surface_crs,
                             PointInput& input) {
  if (surface_crs.kind() != v1::CRS_KIND_PROJECTED &&
      surface_crs.kind() != v1::CRS_KIND_GEOGRAPHIC) {
    return FileContent(path, "has the columns lon,lat and the surface has no CRS to put them in",
                       "row,col, or x,y in the coordinates of the surface");
  }
  TALWEG_ASSIGN_OR_RETURN(OGRSpatialReference target, CrsFromProto(surface_crs));
  const auto transform = CrsTransform::Make(Wgs84(), std::move(target));
  if (!transform.ok()) return PrependContext(transform.status(), path);
  int outside = 0;
  for (v1::Point& point : input.points) {
    double x = point.xy().x();
    double y = point.xy().y();
    if (transform->Apply(x, y)) {
      point.mutable_xy()->set_x(x);
      point.mutable_xy()->set_y(y);
    } else {
      // A cell no raster has: the outcome of this point, not an error.
      point.mutable_cell()->set_row(-1);
      point.mutable_cell()->set_col(-1);
      ++outside;
    }
  }
  if (outside > 0) {
    input.warnings.push_back(
        absl::StrCat(outside, " points of ", path,
                     " have no coordinates in the surface's CRS; they count as outside of it"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PointInput> ReadPoints(const std::string& path, const v1::Crs& surface_crs,
                                      const PointReadOptions& options) {
  if (!IsText(path)) return ReadOgrPoints(path, surface_crs, options);
  TALWEG_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
  TALWEG_ASSIGN_OR_RETURN(CsvPoints points, ParseCsvPoints(path, text, options));
  if (points.position == CsvPosition::kLonLat) {
    TALWEG_RETURN_IF_ERROR(TransformLonLat(path, surface_crs, points.input));
  }
  return std::move(points.input);
}

}  // namespace talweg::formats
