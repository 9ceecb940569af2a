#include "talweg/formats/path_writer.h"

#include <optional>

#include "crs.h"
#include "geopackage.h"
#include "named_paths.h"
#include "number_text.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/output_format.h"

namespace talweg::formats {
namespace {

// The beginning of an object, shared by both JSON forms.
void AppendProperties(std::string& text, const NamedPath& path) {
  text += "{\"from_id\":";
  AppendJsonString(text, path.from_id);
  text += ",\"to_id\":";
  AppendJsonString(text, path.to_id);
  text += ",\"cost\":";
  AppendNumber(text, path.pair.cost);
  text += ",\"length\":";
  AppendNumber(text, path.pair.length);
}

absl::Status WriteJsonLines(const PairAnswer& answer, const SurfaceFrame& frame, StagedFile& file) {
  return ForEachPath(answer, frame.shape, [&](const NamedPath& path) -> absl::Status {
    std::string line;
    AppendProperties(line, path);
    line += ",\"outcome\":\"ok\",\"cells\":[";
    for (size_t i = 0; i < path.cells.size(); ++i) {
      line += i == 0 ? "[" : ",[";
      AppendInteger(line, path.cells[i].row);
      line += ',';
      AppendInteger(line, path.cells[i].col);
      line += ']';
    }
    line += "]}\n";
    return file.Append(line);
  });
}

// How map coordinates become those of the file.
class GeoJsonPositions {
 public:
  static absl::StatusOr<GeoJsonPositions> Make(const SurfaceFrame& frame) {
    GeoJsonPositions positions;
    if (frame.crs.kind() == v1::CRS_KIND_PROJECTED || frame.crs.kind() == v1::CRS_KIND_GEOGRAPHIC) {
      TALWEG_ASSIGN_OR_RETURN(OGRSpatialReference reference, CrsFromProto(frame.crs));
      TALWEG_ASSIGN_OR_RETURN(positions.transform_,
                              CrsTransform::Make(std::move(reference), Wgs84()));
    }
    return positions;
  }

  bool is_wgs84() const { return transform_.has_value(); }

  absl::Status Append(std::string& text, const MapPoint& point) const {
    double x = point.x;
    double y = point.y;
    if (transform_ && !transform_->Apply(x, y)) {
      return InvalidValue("crs", FormatNumber(point.x) + ", " + FormatNumber(point.y),
                          "positions that have a WGS 84 longitude and latitude");
    }
    text += '[';
    // 9 decimals of a degree are a tenth of a millimetre.
    transform_ ? AppendFixed(text, x, 9) : AppendNumber(text, x);
    text += ',';
    transform_ ? AppendFixed(text, y, 9) : AppendNumber(text, y);
    text += ']';
    return absl::OkStatus();
  }

 private:
  std::optional<CrsTransform> transform_;
};

absl::Status WriteGeoJson(const PairAnswer& answer, const SurfaceFrame& frame, StagedFile& file) {
  TALWEG_ASSIGN_OR_RETURN(const GeoJsonPositions positions, GeoJsonPositions::Make(frame));
  std::string head = "{\"type\":\"FeatureCollection\",";
  // Not RFC 7946, which knows WGS 84 only: says that these are plain x, y.
  if (!positions.is_wgs84()) head += "\"crs\":null,";
  TALWEG_RETURN_IF_ERROR(file.Append(head + "\"features\":["));
  const char* separator = "\n";
  TALWEG_RETURN_IF_ERROR(
      ForEachPath(answer, frame.shape, [&](const NamedPath& path) -> absl::Status {
        if (path.cells.size() < 2) return absl::OkStatus();
        std::string feature = separator;
        separator = ",\n";
        feature += "{\"type\":\"Feature\",\"properties\":";
        AppendProperties(feature, path);
        feature += "},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[";
        for (size_t i = 0; i < path.cells.size(); ++i) {
          if (i > 0) feature += ',';
          const MapPoint centre = frame.geotransform.CellCentre(path.cells[i]);
          if (auto status = positions.Append(feature, centre); !status.ok()) return status;
        }
        return file.Append(feature + "]}}");
      }));
  return file.Append("\n]}\n");
}

}  // namespace

absl::Status WritePaths(const std::string& path, const PairAnswer& answer,
                        const SurfaceFrame& frame, const Provenance& provenance,
                        OutputSet& outputs) {
  TALWEG_ASSIGN_OR_RETURN(const PathFormat format, PathFormatOf(path));
  StagedFile& file = outputs.Stage(path);
  switch (format) {
    case PathFormat::kGeoPackage:  // holds its own provenance
      return WriteGeoPackage(answer, frame, provenance, file);
    case PathFormat::kJsonLines:
      TALWEG_RETURN_IF_ERROR(WriteJsonLines(answer, frame, file));
      break;
    case PathFormat::kGeoJson:
      TALWEG_RETURN_IF_ERROR(WriteGeoJson(answer, frame, file));
      break;
  }
  return WriteSidecar(path, provenance, outputs);
}

}  // namespace talweg::formats
