#ifndef TALWEG_FORMATS_SRC_GDAL_SURFACE_H_
#define TALWEG_FORMATS_SRC_GDAL_SURFACE_H_

#include <string>

#include "absl/status/statusor.h"
#include "talweg/formats/raster_reader.h"

namespace talweg::formats {

// ReadSurface for what GDAL opens.
absl::StatusOr<SurfaceInput> ReadGdalSurface(const std::string& path,
                                             const RasterReadOptions& options);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_GDAL_SURFACE_H_
