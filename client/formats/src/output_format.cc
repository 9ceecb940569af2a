#include "talweg/formats/output_format.h"

#include <filesystem>

#include "absl/strings/ascii.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

std::string ExtensionOf(const std::string& path) {
  return absl::AsciiStrToLower(std::filesystem::path(path).extension().string());
}

}  // namespace

absl::StatusOr<MatrixFormat> MatrixFormatOf(const std::string& path) {
  const std::string extension = ExtensionOf(path);
  if (extension == ".csv") return MatrixFormat::kCsv;
  if (extension == ".npy") return MatrixFormat::kNpy;
  if (extension == ".json") return MatrixFormat::kJson;
  return UnknownOutputFormat(path, ".csv, .npy or .json for a matrix");
}

absl::StatusOr<PathFormat> PathFormatOf(const std::string& path) {
  const std::string extension = ExtensionOf(path);
  if (extension == ".jsonl") return PathFormat::kJsonLines;
  if (extension == ".geojson") return PathFormat::kGeoJson;
  if (extension == ".gpkg") return PathFormat::kGeoPackage;
  return UnknownOutputFormat(path, ".jsonl, .geojson or .gpkg for paths");
}

absl::StatusOr<RasterFormat> RasterFormatOf(const std::string& path) {
  const std::string extension = ExtensionOf(path);
  if (extension == ".npy") return RasterFormat::kNpy;
  if (extension == ".tif" || extension == ".tiff") return RasterFormat::kGeoTiff;
  return UnknownOutputFormat(path, ".npy or .tif for a raster");
}

absl::Status CheckPictureFormat(const std::string& path) {
  if (ExtensionOf(path) == ".png") return absl::OkStatus();
  return UnknownOutputFormat(path, ".png for a picture");
}

}  // namespace talweg::formats
