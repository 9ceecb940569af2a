// A picture of an answer: the surface, the paths and the points.
#ifndef TALWEG_FORMATS_PICTURE_H_
#define TALWEG_FORMATS_PICTURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "talweg/cost/friction.h"
#include "talweg/cost/value_type.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/provenance.h"
#include "talweg/formats/surface_frame.h"

namespace talweg::formats {

struct PicturePoint {
  Cell cell;
  std::string label;
};

// The cells of a surface, borrowed.
struct PictureCells {
  ValueType type = ValueType::kFloat64;
  const void* data = nullptr;  // row-major, as many as the frame has
  FrictionRule rule;           // what is impassable
};

struct Picture {
  std::string title;
  SurfaceFrame frame;
  // Absent when the cells are not at hand: a plain ground is drawn.
  std::optional<PictureCells> cells;
  std::vector<std::vector<Cell>> paths;
  std::vector<PicturePoint> points;
};

// Stages a PNG whose map is about 1200 pixels long on its longer side, with a
// sidecar. Frictions go through a perceptual ramp (viridis), stretched between
// their 2nd and 98th percentile, by logarithm where these are a factor of 100
// apart; impassable cells are grey. North is up where the geotransform is
// plain; otherwise row 0 is.
absl::Status WritePicture(const std::string& path, const Picture& picture,
                          const Provenance& provenance, OutputSet& outputs);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_PICTURE_H_
