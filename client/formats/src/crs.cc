#include "crs.h"

#include <cmath>
#include <string>

#include "gdal_support.h"
#include "talweg/base/errors.h"

namespace talweg::formats {
namespace {

v1::CrsKind KindOf(const OGRSpatialReference& reference) {
  if (reference.IsProjected()) return v1::CRS_KIND_PROJECTED;
  if (reference.IsGeographic() || reference.IsDerivedGeographic()) {
    return v1::CRS_KIND_GEOGRAPHIC;
  }
  if (reference.IsLocal()) return v1::CRS_KIND_LOCAL;
  return v1::CRS_KIND_NONE;
}

std::string ToWkt(const OGRSpatialReference& reference) {
  const char* const options[] = {"FORMAT=WKT2_2019", "MULTILINE=NO", nullptr};
  char* text = nullptr;
  std::string wkt;
  if (reference.exportToWkt(&text, options) == OGRERR_NONE && text != nullptr) wkt = text;
  CPLFree(text);
  return wkt;
}

}  // namespace

v1::Crs CrsToProto(const OGRSpatialReference* reference) {
  v1::Crs crs;
  crs.set_kind(v1::CRS_KIND_NONE);
  if (reference == nullptr || reference->IsEmpty()) return crs;
  const GdalMessages quiet;
  crs.set_kind(KindOf(*reference));
  if (crs.kind() == v1::CRS_KIND_NONE) return crs;
  crs.set_wkt(ToWkt(*reference));
  if (const char* name = reference->GetName(); name != nullptr) crs.set_name(name);
  if (crs.kind() != v1::CRS_KIND_GEOGRAPHIC) {
    const double unit_m = reference->GetLinearUnits(static_cast<const char**>(nullptr));
    if (std::isfinite(unit_m) && unit_m > 0) crs.set_linear_unit_m(unit_m);
  }
  if (crs.kind() != v1::CRS_KIND_LOCAL) {
    OGRErr error = OGRERR_NONE;
    const double semi_major_m = reference->GetSemiMajor(&error);
    if (error == OGRERR_NONE) {
      crs.set_semi_major_axis_m(semi_major_m);
      crs.set_inverse_flattening(reference->GetInvFlattening());
    }
  }
  return crs;
}

absl::StatusOr<OGRSpatialReference> CrsFromProto(const v1::Crs& crs) {
  UseGdal();
  const GdalMessages messages;
  OGRSpatialReference reference;
  if (reference.importFromWkt(crs.wkt().c_str()) != OGRERR_NONE) {
    return InvalidValue("crs.wkt", crs.wkt(),
                        "WKT that PROJ reads (" + messages.LastError("it gave no reason") + ")");
  }
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return reference;
}

OGRSpatialReference Wgs84() {
  UseGdal();
  OGRSpatialReference reference;
  reference.SetWellKnownGeogCS("WGS84");
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return reference;
}

absl::StatusOr<CrsTransform> CrsTransform::Make(OGRSpatialReference from, OGRSpatialReference to) {
  const GdalMessages messages;
  from.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  to.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  if (from.IsSame(&to)) return CrsTransform(nullptr);
  OGRCoordinateTransformation* transform = OGRCreateCoordinateTransformation(&from, &to);
  if (transform == nullptr) {
    const std::string to_name = to.GetName() != nullptr ? to.GetName() : "the other CRS";
    return InvalidValue("crs", from.GetName() != nullptr ? from.GetName() : "",
                        "a CRS with a known way to \"" + to_name + "\" (" +
                            messages.LastError("PROJ gave no reason") + ")");
  }
  return CrsTransform(transform);
}

bool CrsTransform::Apply(double& x, double& y) const {
  if (!transform_) return true;
  const GdalMessages quiet;
  double new_x = x;
  double new_y = y;
  int ok = FALSE;
  transform_->Transform(1, &new_x, &new_y, nullptr, &ok);
  if (ok == FALSE || !std::isfinite(new_x) || !std::isfinite(new_y)) return false;
  x = new_x;
  y = new_y;
  return true;
}

}  // namespace talweg::formats
