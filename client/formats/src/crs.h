// Coordinate reference systems between GDAL and the wire.
#ifndef TALWEG_FORMATS_SRC_CRS_H_
#define TALWEG_FORMATS_SRC_CRS_H_

#include <ogr_spatialref.h>

#include <memory>

#include "absl/status/statusor.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::formats {

// What the server is told of a CRS, so that it needs no PROJ data. None for
// a null pointer and for kinds without plane or angular coordinates
// (geocentric).
v1::Crs CrsToProto(const OGRSpatialReference* reference);

// The CRS with x before y and longitude before latitude, whatever the
// authority's order says. FILE_CONTENT style error for WKT PROJ does not read.
absl::StatusOr<OGRSpatialReference> CrsFromProto(const v1::Crs& crs);

// WGS 84, longitude before latitude.
OGRSpatialReference Wgs84();

// From one CRS to another. Both in x, y order.
class CrsTransform {
 public:
  // FILE_CONTENT style error when PROJ knows no way.
  static absl::StatusOr<CrsTransform> Make(OGRSpatialReference from, OGRSpatialReference to);

  // False for a position outside of what either CRS can express; x and y are
  // then as they were.
  bool Apply(double& x, double& y) const;

 private:
  struct Destroyer {
    void operator()(OGRCoordinateTransformation* t) const {
      OGRCoordinateTransformation::DestroyCT(t);
    }
  };
  explicit CrsTransform(OGRCoordinateTransformation* transform) : transform_(transform) {}
  std::unique_ptr<OGRCoordinateTransformation, Destroyer> transform_;  // null: the same CRS
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_CRS_H_
