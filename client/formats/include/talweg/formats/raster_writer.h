// Rasters out, run of cells by run of cells.
#ifndef TALWEG_FORMATS_RASTER_WRITER_H_
#define TALWEG_FORMATS_RASTER_WRITER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/provenance.h"
#include "talweg/formats/surface_frame.h"

namespace talweg::formats {

enum class CellType { kUint8, kInt16, kInt32, kFloat32, kFloat64 };

struct RasterLayout {
  SurfaceFrame frame;
  CellType type = CellType::kFloat64;
  std::optional<double> nodata;
  std::vector<std::string> bands;  // their names; .npy has one
};

// Writes the cells of one file in row-major order, little-endian.
class RasterWriter {
 public:
  virtual ~RasterWriter() = default;
  // The next cells: one run of bytes per band, all equally long.
  virtual absl::Status Append(const std::vector<std::string_view>& bands) = 0;
  // After the last cell. The file is complete in its stage afterwards.
  virtual absl::Status Finish() = 0;
};

// Stages a .npy (with a sidecar) or a tiled GeoTIFF with DEFLATE (with
// metadata items); the extension says which.
absl::StatusOr<std::unique_ptr<RasterWriter>> MakeRasterWriter(const std::string& path,
                                                               const RasterLayout& layout,
                                                               const Provenance& provenance,
                                                               OutputSet& outputs);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_RASTER_WRITER_H_
