// The affine map between cells and map coordinates, and step lengths from it.
#ifndef TALWEG_GRID_GEOTRANSFORM_H_
#define TALWEG_GRID_GEOTRANSFORM_H_

#include <array>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/grid/shape.h"

namespace talweg {

// A position in map coordinates: x = easting = along columns of a north-up
// raster, y = northing.
struct MapPoint {
  double x = 0;
  double y = 0;
};

// GDAL's six numbers: with col and row counted from the outer corner of the
// top left cell,
//   x = gt[0] + col * gt[1] + row * gt[2]
//   y = gt[3] + col * gt[4] + row * gt[5]
// South-up, rotated and sheared rasters are supported; a singular matrix is
// not. The default maps to cell units from the top left corner.
class GeoTransform {
 public:
  GeoTransform() = default;

  // SINGULAR_GEOTRANSFORM when a coefficient is not finite or the matrix has
  // no inverse.
  static absl::StatusOr<GeoTransform> Make(const std::array<double, 6>& coefficients);

  const std::array<double, 6>& coefficients() const { return gt_; }

  // Centre of a cell.
  MapPoint CellCentre(const Cell& cell) const;

  // The cell whose half-open box holds the point: col and row are floored, so
  // a point on the far edge of the raster is outside. Points too far away for
  // 64-bit cells (and NaN) give row = col = -1, which no raster holds.
  Cell CellAt(const MapPoint& point) const;

  // Length of one step along columns (hypot(gt1, gt4)) and along rows
  // (hypot(gt2, gt5)), in map units.
  double cell_width() const;
  double cell_height() const;

  std::string ToString() const;

  friend bool operator==(const GeoTransform&, const GeoTransform&) = default;

 private:
  explicit GeoTransform(const std::array<double, 6>& coefficients) : gt_(coefficients) {}
  std::array<double, 6> gt_ = {0, 1, 0, 0, 0, 1};
};

// Lengths of the steps to the eight neighbours. Opposite steps are equally
// long, so four numbers say it all.
struct StepLengths {
  double along_cols = 1;                    // E, W
  double along_rows = 1;                    // N, S
  double diagonal_se = 1.4142135623730951;  // SE, NW
  double diagonal_ne = 1.4142135623730951;  // NE, SW

  friend bool operator==(const StepLengths&, const StepLengths&) = default;
};

// Steps on a grid whose axes are at right angles: dy along rows, dx along
// columns, both diagonals sqrt(dx * dx + dy * dy) (scikit-image's rule, equal
// to the last bit).
StepLengths RightAngledStepLengths(double dy, double dx);

// Steps in map units. A grid without shear gets RightAngledStepLengths of its
// cell sizes; with shear the two diagonals differ. Axes are taken as
// perpendicular when the cosine of their angle is below 1e-9.
StepLengths MapStepLengths(const GeoTransform& geotransform);

}  // namespace talweg

#endif  // TALWEG_GRID_GEOTRANSFORM_H_
