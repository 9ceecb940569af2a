// Which format an output file gets: its extension says so.
#ifndef TALWEG_FORMATS_OUTPUT_FORMAT_H_
#define TALWEG_FORMATS_OUTPUT_FORMAT_H_

#include <string>

#include "absl/status/statusor.h"

namespace talweg::formats {

enum class MatrixFormat { kCsv, kNpy, kJson };
enum class PathFormat { kJsonLines, kGeoJson, kGeoPackage };
enum class RasterFormat { kNpy, kGeoTiff };

// OUTPUT_FORMAT for another extension, naming those that exist; in any case.
absl::StatusOr<MatrixFormat> MatrixFormatOf(const std::string& path);  // .csv .npy .json
absl::StatusOr<PathFormat> PathFormatOf(const std::string& path);      // .jsonl .geojson .gpkg
absl::StatusOr<RasterFormat> RasterFormatOf(const std::string& path);  // .npy .tif .tiff
absl::Status CheckPictureFormat(const std::string& path);              // .png

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_OUTPUT_FORMAT_H_
