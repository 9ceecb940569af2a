#include "talweg/formats/raster_reader.h"

#include <cmath>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gdal_surface.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/formats/npy.h"

namespace talweg::formats {
namespace {

// By content first: an array keeps being one under another name.
bool IsNpy(const std::string& path) {
  std::string magic(kNpyMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  if (file.read(magic.data(), static_cast<std::streamsize>(magic.size()))) {
    if (magic == kNpyMagic) return true;
  }
  return absl::EndsWithIgnoreCase(path, ".npy");
}

}  // namespace

absl::StatusOr<SurfaceInput> ReadSurface(const std::string& path,
                                         const RasterReadOptions& options) {
  const bool is_npy = IsNpy(path);
  if (is_npy && options.band.value_or(1) != 1) {
    return FileContent(path, absl::StrCat("has no band ", *options.band), "1, its only band");
  }
  absl::StatusOr<SurfaceInput> read =
      is_npy ? ReadNpySurface(path) : ReadGdalSurface(path, options);
  TALWEG_ASSIGN_OR_RETURN(SurfaceInput input, std::move(read));
  for (const double value : options.nodata) {
    if (!std::isnan(value)) input.description.add_nodata(value);
  }
  input.description.set_negative(options.negative);
  return input;
}

}  // namespace talweg::formats
