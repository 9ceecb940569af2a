// A small anti-aliased rasteriser on 8-bit RGB.
#ifndef TALWEG_FORMATS_SRC_CANVAS_H_
#define TALWEG_FORMATS_SRC_CANVAS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace talweg::formats {

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

// In pixels from the top left corner; the first pixel's centre is (0.5, 0.5).
struct PixelPoint {
  double x = 0;
  double y = 0;
};

struct PixelBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool Overlaps(const PixelBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Whole pixels, half-open.
struct PixelRange {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// How much of each pixel a shape covers. Overlapping strokes cover a pixel no
// more than once, so joints and shared stretches of paths do not darken.
// Knows the pixels of one box.
class Coverage {
 public:
  explicit Coverage(const PixelBox& box);

  // A line with round caps; a disc when both ends are the same.
  void AddSegment(const PixelPoint& from, const PixelPoint& to, double line_width);

  // The box, as whole pixels; half-open.
  const PixelRange& range() const { return range_; }
  float at(int x, int y) const { return values_[Index(x, y)]; }

 private:
  size_t Index(int x, int y) const {
    return static_cast<size_t>(y - range_.y0) * static_cast<size_t>(range_.x1 - range_.x0) +
           static_cast<size_t>(x - range_.x0);
  }

  PixelRange range_;
  std::vector<float> values_;
};

class Canvas {
 public:
  Canvas(int width, int height, const Colour& ground);

  int width() const { return width_; }
  int height() const { return height_; }
  // Interleaved, row-major.
  std::vector<uint8_t>& bytes() { return bytes_; }

  void Set(int x, int y, const Colour& colour);
  void Blend(int x, int y, const Colour& colour, double opacity);  // outside: nothing
  void Paint(const Coverage& coverage, const Colour& colour, double opacity = 1);
  void FillBox(const PixelBox& box, const Colour& colour);  // whole pixels
  void StrokeSegment(const PixelPoint& from, const PixelPoint& to, double line_width,
                     const Colour& colour);
  void FillDisc(const PixelPoint& centre, double radius, const Colour& colour);

 private:
  int width_;
  int height_;
  std::vector<uint8_t> bytes_;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_CANVAS_H_
