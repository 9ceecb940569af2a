// Paths out.
#ifndef TALWEG_FORMATS_PATH_WRITER_H_
#define TALWEG_FORMATS_PATH_WRITER_H_

#include <string>

#include "absl/status/status.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/pair_answer.h"
#include "talweg/formats/provenance.h"
#include "talweg/formats/surface_frame.h"

namespace talweg::formats {

// Stages the paths of all pairs with outcome ok, row-major, in the format of
// the extension:
// - .jsonl: one object a line, {"from_id", "to_id", "cost", "length",
//   "outcome", "cells": [[row, col], ...]}; the diagonal included.
// - .geojson: RFC 7946, lines in WGS 84 longitude and latitude with 9 decimals
//   when the surface has a CRS; plain x, y and "crs": null when it has none.
// - .gpkg: layer `paths` in the surface's CRS, fields from_id, to_id, cost,
//   length.
// A line joins cell centres and needs two of them: .geojson and .gpkg leave out
// paths of one cell, the diagonal among them.
absl::Status WritePaths(const std::string& path, const PairAnswer& answer,
                        const SurfaceFrame& frame, const Provenance& provenance,
                        OutputSet& outputs);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_PATH_WRITER_H_
