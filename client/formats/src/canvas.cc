#include "canvas.h"

#include <algorithm>
#include <cmath>

namespace talweg::formats {
namespace {

// The pixels of `within` that a stroke can touch.
PixelRange RangeOf(const PixelPoint& a, const PixelPoint& b, double reach,
                   const PixelRange& within) {
  const auto clamp = [](double value, int low, int high) {
    return static_cast<int>(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
  };
  return {clamp(std::floor(std::min(a.x, b.x) - reach), within.x0, within.x1),
          clamp(std::floor(std::min(a.y, b.y) - reach), within.y0, within.y1),
          clamp(std::ceil(std::max(a.x, b.x) + reach) + 1, within.x0, within.x1),
          clamp(std::ceil(std::max(a.y, b.y) + reach) + 1, within.y0, within.y1)};
}

double DistanceToSegment(double x, double y, const PixelPoint& a, const PixelPoint& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length_squared = dx * dx + dy * dy;
  double t = 0;
  if (length_squared > 0) {
    t = std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length_squared, 0.0, 1.0);
  }
  return std::hypot(x - (a.x + t * dx), y - (a.y + t * dy));
}

// Calls visit(x, y, coverage) for each pixel that the stroke touches: coverage
// falls off over one pixel across the edge.
template <class F>
void Stroke(const PixelPoint& from, const PixelPoint& to, double line_width,
            const PixelRange& within, F&& visit) {
  const double half = line_width / 2;
  const PixelRange range = RangeOf(from, to, half + 1, within);
  for (int y = range.y0; y < range.y1; ++y) {
    for (int x = range.x0; x < range.x1; ++x) {
      const double distance = DistanceToSegment(x + 0.5, y + 0.5, from, to);
      const double coverage = std::clamp(half + 0.5 - distance, 0.0, 1.0);
      if (coverage > 0) visit(x, y, coverage);
    }
  }
}

}  // namespace

Coverage::Coverage(const PixelBox& box)
    : range_{static_cast<int>(std::floor(box.left)), static_cast<int>(std::floor(box.top)),
             static_cast<int>(std::ceil(box.right)), static_cast<int>(std::ceil(box.bottom))},
      values_(static_cast<size_t>(std::max(0, range_.x1 - range_.x0)) *
                  static_cast<size_t>(std::max(0, range_.y1 - range_.y0)),
              0.0f) {}

void Coverage::AddSegment(const PixelPoint& from, const PixelPoint& to, double line_width) {
  Stroke(from, to, line_width, range_, [&](int x, int y, double coverage) {
    float& value = values_[Index(x, y)];
    value = std::max(value, static_cast<float>(coverage));
  });
}

Canvas::Canvas(int width, int height, const Colour& ground) : width_(width), height_(height) {
  bytes_.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  for (size_t i = 0; i < bytes_.size(); i += 3) {
    bytes_[i] = ground.red;
    bytes_[i + 1] = ground.green;
    bytes_[i + 2] = ground.blue;
  }
}

void Canvas::Set(int x, int y, const Colour& colour) { Blend(x, y, colour, 1); }

void Canvas::Blend(int x, int y, const Colour& colour, double opacity) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  uint8_t* pixel =
      &bytes_[(static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)) * 3];
  const uint8_t target[] = {colour.red, colour.green, colour.blue};
  for (int i = 0; i < 3; ++i) {
    pixel[i] = static_cast<uint8_t>(std::lround(pixel[i] + (target[i] - pixel[i]) * opacity));
  }
}

void Canvas::Paint(const Coverage& coverage, const Colour& colour, double opacity) {
  const PixelRange& range = coverage.range();
  for (int y = range.y0; y < range.y1; ++y) {
    for (int x = range.x0; x < range.x1; ++x) {
      const float covered = coverage.at(x, y);
      if (covered > 0) Blend(x, y, colour, opacity * static_cast<double>(covered));
    }
  }
}

void Canvas::FillBox(const PixelBox& box, const Colour& colour) {
  for (int y = static_cast<int>(box.top); y < static_cast<int>(box.bottom); ++y) {
    for (int x = static_cast<int>(box.left); x < static_cast<int>(box.right); ++x) {
      Set(x, y, colour);
    }
  }
}

void Canvas::StrokeSegment(const PixelPoint& from, const PixelPoint& to, double line_width,
                           const Colour& colour) {
  Stroke(from, to, line_width, {0, 0, width_, height_},
         [&](int x, int y, double coverage) { Blend(x, y, colour, coverage); });
}

void Canvas::FillDisc(const PixelPoint& centre, double radius, const Colour& colour) {
  StrokeSegment(centre, centre, 2 * radius, colour);
}

}  // namespace talweg::formats
