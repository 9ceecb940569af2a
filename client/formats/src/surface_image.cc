#include "surface_image.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talweg::formats {
namespace {

constexpr int kMaxSamplesPerAxis = 4;
// Between the percentiles: beyond this factor a linear ramp shows two colours.
constexpr double kLogarithmicFactor = 100;

// Cell positions that stand for one pixel along an axis of `cells` cells and
// `pixels` pixels.
std::vector<int64_t> SamplePositions(int pixel, int pixels, int64_t cells) {
  const double cells_per_pixel = static_cast<double>(cells) / pixels;
  const int count = std::clamp(static_cast<int>(std::ceil(cells_per_pixel)), 1, kMaxSamplesPerAxis);
  std::vector<int64_t> positions;
  for (int i = 0; i < count; ++i) {
    const double position = (pixel + (i + 0.5) / count) * cells_per_pixel;
    positions.push_back(std::clamp(static_cast<int64_t>(position), int64_t{0}, cells - 1));
  }
  return positions;
}

struct Axis {
  std::vector<std::vector<int64_t>> positions;  // by pixel
};

Axis MakeAxis(int pixels, int64_t cells, bool flip) {
  Axis axis;
  for (int pixel = 0; pixel < pixels; ++pixel) {
    axis.positions.push_back(SamplePositions(flip ? pixels - 1 - pixel : pixel, pixels, cells));
  }
  return axis;
}

template <class T>
std::vector<float> Sample(const PictureCells& cells, const MapPlacement& placement) {
  const FrictionReader<T> friction(cells.rule);
  const T* data = static_cast<const T*>(cells.data);
  const int width = static_cast<int>(placement.box.right - placement.box.left);
  const int height = static_cast<int>(placement.box.bottom - placement.box.top);
  const Axis rows = MakeAxis(height, placement.shape.rows, placement.flip_rows);
  const Axis cols = MakeAxis(width, placement.shape.cols, placement.flip_cols);
  std::vector<float> samples;
  samples.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
  for (const auto& pixel_rows : rows.positions) {
    for (const auto& pixel_cols : cols.positions) {
      double sum = 0;
      size_t passable = 0;
      for (const int64_t row : pixel_rows) {
        for (const int64_t col : pixel_cols) {
          const double value = friction(data[row * placement.shape.cols + col]);
          if (!IsPassable(value)) continue;
          sum += value;
          ++passable;
        }
      }
      const bool mostly_passable = 2 * passable >= pixel_rows.size() * pixel_cols.size();
      samples.push_back(mostly_passable && passable > 0
                            ? static_cast<float>(sum / static_cast<double>(passable))
                            : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return samples;
}

}  // namespace

double Stretch::Position(double friction) const {
  if (!(high > low)) return 0.5;
  if (!logarithmic) return (friction - low) / (high - low);
  return std::log(std::max(friction, low) / low) / std::log(high / low);
}

double Stretch::Friction(double position) const {
  if (!logarithmic) return low + position * (high - low);
  return low * std::pow(high / low, position);
}

PixelPoint MapPlacement::CentreOf(const Cell& cell) const {
  const int64_t row = flip_rows ? shape.rows - 1 - cell.row : cell.row;
  const int64_t col = flip_cols ? shape.cols - 1 - cell.col : cell.col;
  return {box.left + (static_cast<double>(col) + 0.5) * (box.right - box.left) /
                         static_cast<double>(shape.cols),
          box.top + (static_cast<double>(row) + 0.5) * (box.bottom - box.top) /
                        static_cast<double>(shape.rows)};
}

std::vector<float> SampleFriction(const PictureCells& cells, const MapPlacement& placement) {
  return VisitValueType(cells.type, [&]<class T>(T) { return Sample<T>(cells, placement); });
}

Stretch MakeStretch(const std::vector<float>& samples) {
  std::vector<float> sorted;
  for (const float sample : samples) {
    if (std::isfinite(sample)) sorted.push_back(sample);
  }
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double fraction) {
    const auto last = static_cast<double>(sorted.size() - 1);
    return static_cast<double>(sorted[static_cast<size_t>(fraction * last)]);
  };
  Stretch stretch{.low = at(0.02), .high = at(0.98)};
  // A surface of few values may have all of them beyond the percentiles.
  if (!(stretch.high > stretch.low)) stretch = {.low = at(0), .high = at(1)};
  stretch.logarithmic = stretch.low > 0 && stretch.high > kLogarithmicFactor * stretch.low;
  return stretch;
}

}  // namespace talweg::formats
