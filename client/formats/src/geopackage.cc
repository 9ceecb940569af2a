#include "geopackage.h"

#include <ogrsf_frmts.h>

#include <optional>

#include "crs.h"
#include "gdal_support.h"
#include "named_paths.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

absl::Status AddField(OGRLayer& layer, const char* name, OGRFieldType type,
                      const std::string& path) {
  OGRFieldDefn field(name, type);
  if (layer.CreateField(&field) != OGRERR_NONE) return WriteFailed(path, "a field cannot be made");
  return absl::OkStatus();
}

absl::StatusOr<OGRLayer*> CreateLayer(GDALDataset& dataset, const SurfaceFrame& frame,
                                      const std::string& path) {
  std::optional<OGRSpatialReference> reference;
  if (!frame.crs.wkt().empty()) {
    TALWEG_ASSIGN_OR_RETURN(reference, CrsFromProto(frame.crs));
  }
  OGRLayer* layer =
      dataset.CreateLayer("paths", reference ? &*reference : nullptr, wkbLineString, nullptr);
  if (layer == nullptr) return WriteFailed(path, "the layer cannot be made");
  TALWEG_RETURN_IF_ERROR(AddField(*layer, "from_id", OFTString, path));
  TALWEG_RETURN_IF_ERROR(AddField(*layer, "to_id", OFTString, path));
  TALWEG_RETURN_IF_ERROR(AddField(*layer, "cost", OFTReal, path));
  TALWEG_RETURN_IF_ERROR(AddField(*layer, "length", OFTReal, path));
  return layer;
}

absl::Status AddPath(OGRLayer& layer, const SurfaceFrame& frame, const NamedPath& path,
                     const std::string& file_name) {
  const OGRFeatureUniquePtr feature(OGRFeature::CreateFeature(layer.GetLayerDefn()));
  feature->SetField("from_id", path.from_id.c_str());
  feature->SetField("to_id", path.to_id.c_str());
  feature->SetField("cost", path.pair.cost);
  feature->SetField("length", path.pair.length);
  auto line = std::make_unique<OGRLineString>();
  line->setNumPoints(static_cast<int>(path.cells.size()), FALSE);
  for (size_t i = 0; i < path.cells.size(); ++i) {
    const MapPoint centre = frame.geotransform.CellCentre(path.cells[i]);
    line->setPoint(static_cast<int>(i), centre.x, centre.y);
  }
  feature->SetGeometryDirectly(line.release());
  if (layer.CreateFeature(feature.get()) != OGRERR_NONE) {
    return WriteFailed(file_name, "a path cannot be added");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteGeoPackage(const PairAnswer& answer, const SurfaceFrame& frame,
                             const Provenance& provenance, StagedFile& file) {
  UseGdal();
  const GdalMessages messages;
  // The file is synced as a whole before it gets its name; SQLite's own syncs
  // along the way would only cost time.
  CPLSetThreadLocalConfigOption("OGR_SQLITE_SYNCHRONOUS", "OFF");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  if (driver == nullptr) return WriteFailed(file.path(), "this GDAL has no GeoPackage driver");
  GdalDataset dataset(driver->Create(file.temporary_path().c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  CPLSetThreadLocalConfigOption("OGR_SQLITE_SYNCHRONOUS", nullptr);
  if (!dataset) return WriteFailed(file.path(), messages.LastError("it cannot be created"));

  for (const auto& [name, value] : ProvenanceItems(provenance)) {
    dataset->SetMetadataItem(name.c_str(), value.c_str());
  }
  TALWEG_ASSIGN_OR_RETURN(OGRLayer* const layer, CreateLayer(*dataset, frame, file.path()));
  if (dataset->StartTransaction() != OGRERR_NONE) {
    return WriteFailed(file.path(), messages.LastError("no transaction can be started"));
  }
  TALWEG_RETURN_IF_ERROR(
      ForEachPath(answer, frame.shape, [&](const NamedPath& path) -> absl::Status {
        if (path.cells.size() < 2) return absl::OkStatus();
        return AddPath(*layer, frame, path, file.path());
      }));
  if (dataset->CommitTransaction() != OGRERR_NONE) {
    return WriteFailed(file.path(), messages.LastError("the transaction cannot be committed"));
  }
  dataset.reset();
  const std::string error = messages.LastError("");
  return error.empty() ? absl::OkStatus() : WriteFailed(file.path(), error);
}

}  // namespace talweg::formats
