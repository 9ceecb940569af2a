// Rasters in: any file GDAL opens, and .npy.
#ifndef TALWEG_FORMATS_RASTER_READER_H_
#define TALWEG_FORMATS_RASTER_READER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/formats/surface_input.h"

namespace talweg::formats {

struct RasterReadOptions {
  std::optional<int> band = {};     // from 1; absent: the first
  std::vector<double> nodata = {};  // beside the file's own
  v1::NegativePolicy negative = v1::NEGATIVE_POLICY_BARRIER;
  std::function<bool()> cancelled = [] { return false; };
};

// Reads one band, in its own type, with everything the file says of it: nodata,
// mask and alpha bands (impassable), scale and offset (applied; float32 where
// that is exact, else float64), signed bytes, geotransform, CRS. Colour tables
// are ignored. 64-bit integers follow the rule of .npy (npy.h); complex numbers
// are refused.
//
// Errors name the file, the problem and what would be accepted:
// FILE_UNREADABLE, FILE_CONTENT, VALUE_NOT_EXACT, SHAPE_OUT_OF_RANGE,
// SINGULAR_GEOTRANSFORM, OUT_OF_MEMORY; CANCELLED.
absl::StatusOr<SurfaceInput> ReadSurface(const std::string& path,
                                         const RasterReadOptions& options = {});

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_RASTER_READER_H_
