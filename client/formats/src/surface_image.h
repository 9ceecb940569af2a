// A surface as pixels.
#ifndef TALWEG_FORMATS_SRC_SURFACE_IMAGE_H_
#define TALWEG_FORMATS_SRC_SURFACE_IMAGE_H_

#include <vector>

#include "canvas.h"
#include "talweg/formats/picture.h"

namespace talweg::formats {

inline constexpr Colour kImpassableColour = {189, 189, 189};

// How frictions become positions on the colour ramp.
struct Stretch {
  double low = 0;   // friction at position 0
  double high = 1;  // friction at position 1
  bool logarithmic = false;

  double Position(double friction) const;
  // The friction at a position; the inverse of Position.
  double Friction(double position) const;
};

// Where the map lies on the canvas, and how cells become pixels.
struct MapPlacement {
  PixelBox box;
  Shape shape;
  bool flip_rows = false;  // row 0 at the bottom
  bool flip_cols = false;

  PixelPoint CentreOf(const Cell& cell) const;
};

// Mean friction under each pixel of the box, row by row; NaN where most of the
// cells are impassable. Looks at no more than 16 cells per pixel.
std::vector<float> SampleFriction(const PictureCells& cells, const MapPlacement& placement);

// From the 2nd to the 98th percentile of the samples.
Stretch MakeStretch(const std::vector<float>& samples);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_SURFACE_IMAGE_H_
