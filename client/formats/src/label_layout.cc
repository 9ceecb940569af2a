#include "label_layout.h"

#include <algorithm>

namespace talweg::formats {

std::optional<PixelBox> LabelLayout::Place(const PixelPoint& point, double width, double height) {
  constexpr double kGap = 9;  // pixels from the point's centre
  struct Offset {
    double x, y;
  };  // of the box's centre, in half sizes plus gap
  constexpr Offset kPlaces[] = {{1, 0},  {-1, 0}, {0, -1},  {0, 1},
                                {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
  for (const Offset& place : kPlaces) {
    const double gap = place.x != 0 && place.y != 0 ? kGap * 0.6 : kGap;
    const double x = point.x + place.x * (width / 2 + gap);
    const double y = point.y + place.y * (height / 2 + gap);
    const PixelBox box{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
    if (box.left < bounds_.left || box.right > bounds_.right || box.top < bounds_.top ||
        box.bottom > bounds_.bottom) {
      continue;
    }
    if (std::any_of(taken_.begin(), taken_.end(),
                    [&](const PixelBox& other) { return box.Overlaps(other); })) {
      continue;
    }
    taken_.push_back(box);
    return box;
  }
  return std::nullopt;
}

}  // namespace talweg::formats
