#include "talweg/formats/surface_frame.h"

#include <algorithm>
#include <array>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::formats {

absl::StatusOr<SurfaceFrame> FrameOf(const v1::SurfaceDescription& description) {
  SurfaceFrame frame;
  TALWEG_ASSIGN_OR_RETURN(frame.shape, MakeShape(description.rows(), description.cols()));
  if (description.geotransform_size() != 0) {
    std::array<double, 6> coefficients;
    if (description.geotransform_size() != static_cast<int>(coefficients.size())) {
      return InvalidValue("geotransform", std::to_string(description.geotransform_size()),
                          "six numbers");
    }
    std::copy(description.geotransform().begin(), description.geotransform().end(),
              coefficients.begin());
    TALWEG_ASSIGN_OR_RETURN(frame.geotransform, GeoTransform::Make(coefficients));
    frame.has_geotransform = !(frame.geotransform == GeoTransform());
  }
  frame.crs = description.crs();
  return frame;
}

}  // namespace talweg::formats
