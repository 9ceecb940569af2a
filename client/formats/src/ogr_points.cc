#include "ogr_points.h"

#include <ogrsf_frmts.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "crs.h"
#include "gdal_support.h"
#include "point_ids.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

constexpr std::string_view kExpectedLayer = "a layer of points";

bool MayHoldPoints(OGRLayer& layer) {
  const OGRwkbGeometryType type = wkbFlatten(layer.GetGeomType());
  return type == wkbPoint || type == wkbMultiPoint || type == wkbUnknown;
}

// The layer with points: of several that may hold some, the one that is
// declared to.
absl::StatusOr<OGRLayer*> ChooseLayer(const std::string& path, GDALDataset& dataset) {
  std::vector<OGRLayer*> candidates;
  std::vector<std::string> names;
  for (OGRLayer* layer : dataset.GetLayers()) {
    if (!MayHoldPoints(*layer)) continue;
    candidates.push_back(layer);
    names.emplace_back(layer->GetName());
  }
  if (candidates.empty()) {
    if (dataset.GetLayerCount() == 0) {
      return FileContent(path, "holds no layer", kExpectedLayer);
    }
    const OGRwkbGeometryType type = dataset.GetLayer(0)->GetGeomType();
    return FileContent(path,
                       absl::StrCat("holds no points; its layer \"", dataset.GetLayer(0)->GetName(),
                                    "\" has the geometry ", OGRGeometryTypeToName(type)),
                       kExpectedLayer);
  }
  if (candidates.size() > 1) {
    return FileContent(
        path, absl::StrCat("holds several layers that may be meant: ", absl::StrJoin(names, ", ")),
        "a file with one layer of points");
  }
  return candidates.front();
}

// How the id of a feature is found.
class IdSource {
 public:
  static absl::StatusOr<IdSource> Make(const std::string& path, OGRLayer& layer,
                                       const PointReadOptions& options) {
    const OGRFeatureDefn& fields = *layer.GetLayerDefn();
    if (!options.id_field.empty()) {
      const int index = fields.GetFieldIndex(options.id_field.c_str());
      // The feature id may be given by the name of its column.
      if (index < 0 && options.id_field == layer.GetFIDColumn()) return IdSource(-1);
      if (index < 0) {
        return FileContent(path,
                           absl::StrCat("its layer \"", layer.GetName(), "\" has no field \"",
                                        options.id_field, "\""),
                           "the field that --id-field names");
      }
      return IdSource(index);
    }
    for (const char* name : {"id", "name"}) {
      // GeoJSON's top-level id becomes the feature id.
      if (const int index = fields.GetFieldIndex(name); index >= 0) return IdSource(index);
    }
    return IdSource(-1);
  }

  // Empty when the feature has none.
  std::string Id(OGRFeature& feature) const {
    if (field_ < 0) return std::to_string(feature.GetFID());
    return feature.IsFieldSetAndNotNull(field_) ? feature.GetFieldAsString(field_) : "";
  }

 private:
  explicit IdSource(int field) : field_(field) {}
  int field_;  // -1: the feature id
};

// Whether a GeoJSON file says "crs": null: plain x, y, as this project writes
// them where there is no CRS. GDAL takes such files for WGS 84.
bool SaysNoCrs(const std::string& path, GDALDataset& dataset) {
  if (std::string_view(dataset.GetDriverName()) != "GeoJSON") return false;
  constexpr size_t kHeadBytes = 4096;  // members of the collection come first
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  std::erase_if(head, [](unsigned char c) { return std::isspace(c) != 0; });
  return head.substr(0, head.find("\"features\"")).find("\"crs\":null") != std::string::npos;
}

// From the layer's coordinates to the surface's; nothing where they are the
// same, or one of the two has no CRS (with a warning when that is odd).
absl::StatusOr<std::optional<CrsTransform>> ToSurface(const std::string& path,
                                                      const OGRSpatialReference* reference,
                                                      const v1::Crs& surface_crs,
                                                      std::vector<std::string>& warnings) {
  const bool surface_has_crs =
      surface_crs.kind() == v1::CRS_KIND_PROJECTED || surface_crs.kind() == v1::CRS_KIND_GEOGRAPHIC;
  const bool layer_has_crs = reference != nullptr && !reference->IsEmpty() && !reference->IsLocal();
  if (!surface_has_crs && layer_has_crs) {
    warnings.push_back(absl::StrCat(path, " is in \"", reference->GetName(),
                                    "\" and the surface has no CRS; its coordinates are taken as "
                                    "the surface's"));
  } else if (surface_has_crs && !layer_has_crs) {
    warnings.push_back(absl::StrCat(path,
                                    " has no CRS; its coordinates are taken as the "
                                    "surface's (\"",
                                    surface_crs.name(), "\")"));
  }
  if (!surface_has_crs || !layer_has_crs) return std::nullopt;
  TALWEG_ASSIGN_OR_RETURN(OGRSpatialReference target, CrsFromProto(surface_crs));
  auto transform = CrsTransform::Make(*reference, std::move(target));
  if (!transform.ok()) return PrependContext(transform.status(), path);
  return *std::move(transform);
}

// Collects the points of features, one after the other.
class Collector {
 public:
  Collector(const std::string& path, std::optional<CrsTransform> transform)
      : path_(path), transform_(std::move(transform)) {}

  absl::Status Add(OGRFeature& feature, std::string id) {
    const std::string place = absl::StrCat("feature ", feature.GetFID());
    if (const auto problem = IdProblem(id)) {
      return FileContent(path_, absl::StrCat(place, ": ", *problem), "");
    }
    const OGRGeometry* geometry = feature.GetGeometryRef();
    if (geometry == nullptr || geometry->IsEmpty()) {
      return FileContent(path_, absl::StrCat(place, " has no geometry"), "a point");
    }
    if (id.empty()) id = std::to_string(input_.points.size());
    switch (wkbFlatten(geometry->getGeometryType())) {
      case wkbPoint:
        return AddPoint(*geometry->toPoint(), id, place);
      case wkbMultiPoint:
        return AddParts(*geometry->toMultiPoint(), id, place);
      default:
        return FileContent(path_,
                           absl::StrCat(place, " has the geometry ", geometry->getGeometryName()),
                           "points");
    }
  }

  PointInput Finish() {
    if (outside_ > 0) {
      input_.warnings.push_back(
          absl::StrCat(outside_, " points of ", path_,
                       " have no coordinates in the surface's CRS; they count as outside of it"));
    }
    return std::move(input_);
  }

 private:
  absl::Status AddParts(const OGRMultiPoint& parts, const std::string& id,
                        const std::string& place) {
    if (parts.getNumGeometries() == 1) return AddPoint(*parts.getGeometryRef(0), id, place);
    int part = 0;
    for (const OGRPoint* point : parts) {
      TALWEG_RETURN_IF_ERROR(AddPoint(*point, absl::StrCat(id, ".", part++), place));
    }
    return absl::OkStatus();
  }

  absl::Status AddPoint(const OGRPoint& point, const std::string& id, const std::string& place) {
    if (const auto before = ids_.Add(id, place)) {
      return FileContent(path_,
                         absl::StrCat(place, " has the id \"", id, "\", as ", *before, " has"),
                         "an id of its own for each point (--id-field names another field)");
    }
    double x = point.getX();
    double y = point.getY();
    if (!std::isfinite(x) || !std::isfinite(y)) {
      return FileContent(path_, absl::StrCat(place, " has a coordinate that is no finite number"),
                         "finite coordinates");
    }
    v1::Point& added = input_.points.emplace_back();
    added.set_id(id);
    if (transform_ && !transform_->Apply(x, y)) {
      // A cell no raster has: the outcome of this point, not an error.
      added.mutable_cell()->set_row(-1);
      added.mutable_cell()->set_col(-1);
      ++outside_;
      return absl::OkStatus();
    }
    added.mutable_xy()->set_x(x);
    added.mutable_xy()->set_y(y);
    return absl::OkStatus();
  }

  const std::string& path_;
  std::optional<CrsTransform> transform_;
  IdRegister ids_;
  PointInput input_;
  int outside_ = 0;
};

}  // namespace

absl::StatusOr<PointInput> ReadOgrPoints(const std::string& path, const v1::Crs& surface_crs,
                                         const PointReadOptions& options) {
  UseGdal();
  const GdalMessages messages;
  const GdalDataset dataset(
      GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR));
  if (!dataset) {
    return FileUnreadable(path, messages.LastError("no OGR driver knows its format"));
  }
  TALWEG_ASSIGN_OR_RETURN(OGRLayer* const layer, ChooseLayer(path, *dataset));
  TALWEG_ASSIGN_OR_RETURN(const IdSource ids, IdSource::Make(path, *layer, options));
  std::vector<std::string> warnings;
  const OGRSpatialReference* reference =
      SaysNoCrs(path, *dataset) ? nullptr : layer->GetSpatialRef();
  TALWEG_ASSIGN_OR_RETURN(auto transform, ToSurface(path, reference, surface_crs, warnings));
  Collector collector(path, std::move(transform));
  for (const OGRFeatureUniquePtr& feature : *layer) {
    TALWEG_RETURN_IF_ERROR(collector.Add(*feature, ids.Id(*feature)));
  }
  PointInput input = collector.Finish();
  if (input.points.empty()) return FileContent(path, "holds no feature", "at least one point");
  input.warnings.insert(input.warnings.begin(), warnings.begin(), warnings.end());
  return input;
}

}  // namespace talweg::formats
