// Where the cells of a surface lie: what is needed to draw or write a path.
#ifndef TALWEG_FORMATS_SURFACE_FRAME_H_
#define TALWEG_FORMATS_SURFACE_FRAME_H_

#include "absl/status/statusor.h"
#include "talweg/grid/geotransform.h"
#include "talweg/grid/shape.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::formats {

struct SurfaceFrame {
  Shape shape;
  GeoTransform geotransform;
  bool has_geotransform = false;
  v1::Crs crs;
};

// SHAPE_OUT_OF_RANGE or SINGULAR_GEOTRANSFORM for a description that is wrong.
absl::StatusOr<SurfaceFrame> FrameOf(const v1::SurfaceDescription& description);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SURFACE_FRAME_H_
