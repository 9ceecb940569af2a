#include "talweg/grid/geotransform.h"

#include <cmath>

#include "talweg/base/errors.h"

namespace talweg {
namespace {

// Whole cells that a double holds exactly and an int64_t holds at all.
constexpr double kFarthestCell = 9.0e15;

// Cosine of the angle between the axes below which they count as
// perpendicular: rotation by sine and cosine leaves about 1e-16.
constexpr double kPerpendicular = 1e-9;

}  // namespace

absl::StatusOr<GeoTransform> GeoTransform::Make(const std::array<double, 6>& coefficients) {
  GeoTransform geotransform(coefficients);
  for (const double coefficient : coefficients) {
    if (!std::isfinite(coefficient)) return SingularGeotransform(geotransform.ToString());
  }
  const double determinant = coefficients[1] * coefficients[5] - coefficients[2] * coefficients[4];
  // The determinant of axes that are parallel up to rounding is noise.
  const double scale = geotransform.cell_width() * geotransform.cell_height();
  if (!std::isfinite(determinant) || !std::isfinite(scale) ||
      std::abs(determinant) <= 1e-14 * scale) {
    return SingularGeotransform(geotransform.ToString());
  }
  return geotransform;
}

MapPoint GeoTransform::CellCentre(const Cell& cell) const {
  const double col = static_cast<double>(cell.col) + 0.5;
  const double row = static_cast<double>(cell.row) + 0.5;
  return {gt_[0] + col * gt_[1] + row * gt_[2], gt_[3] + col * gt_[4] + row * gt_[5]};
}

Cell GeoTransform::CellAt(const MapPoint& point) const {
  const double x = point.x - gt_[0];
  const double y = point.y - gt_[3];
  double col;
  double row;
  if (gt_[2] == 0 && gt_[4] == 0) {
    // One division each keeps points on cell edges on the right side.
    col = x / gt_[1];
    row = y / gt_[5];
  } else {
    const double determinant = gt_[1] * gt_[5] - gt_[2] * gt_[4];
    col = (x * gt_[5] - y * gt_[2]) / determinant;
    row = (y * gt_[1] - x * gt_[4]) / determinant;
  }
  col = std::floor(col);
  row = std::floor(row);
  // Written so that NaN fails too.
  if (!(std::abs(col) < kFarthestCell) || !(std::abs(row) < kFarthestCell)) return {-1, -1};
  return {static_cast<int64_t>(row), static_cast<int64_t>(col)};
}

double GeoTransform::cell_width() const { return std::hypot(gt_[1], gt_[4]); }
double GeoTransform::cell_height() const { return std::hypot(gt_[2], gt_[5]); }

std::string GeoTransform::ToString() const {
  std::string text = "[";
  for (size_t i = 0; i < gt_.size(); ++i) {
    if (i > 0) text += ", ";
    text += FormatNumber(gt_[i]);
  }
  return text + "]";
}

StepLengths RightAngledStepLengths(double dy, double dx) {
  const double diagonal = std::sqrt(dx * dx + dy * dy);
  return {.along_cols = dx, .along_rows = dy, .diagonal_se = diagonal, .diagonal_ne = diagonal};
}

StepLengths MapStepLengths(const GeoTransform& geotransform) {
  const auto& gt = geotransform.coefficients();
  const double dx = geotransform.cell_width();
  const double dy = geotransform.cell_height();
  const double dot = gt[1] * gt[2] + gt[4] * gt[5];
  if (std::abs(dot) <= kPerpendicular * dx * dy) return RightAngledStepLengths(dy, dx);
  return {.along_cols = dx,
          .along_rows = dy,
          .diagonal_se = std::hypot(gt[1] + gt[2], gt[4] + gt[5]),
          .diagonal_ne = std::hypot(gt[1] - gt[2], gt[4] - gt[5])};
}

}  // namespace talweg
