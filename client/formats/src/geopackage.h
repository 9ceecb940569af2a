#ifndef TALWEG_FORMATS_SRC_GEOPACKAGE_H_
#define TALWEG_FORMATS_SRC_GEOPACKAGE_H_

#include "absl/status/status.h"
#include "talweg/formats/path_writer.h"

namespace talweg::formats {

// The .gpkg form of WritePaths.
absl::Status WriteGeoPackage(const PairAnswer& answer, const SurfaceFrame& frame,
                             const Provenance& provenance, StagedFile& file);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_GEOPACKAGE_H_
