// Places for labels beside their points, so that none hides another.
#ifndef TALWEG_FORMATS_SRC_LABEL_LAYOUT_H_
#define TALWEG_FORMATS_SRC_LABEL_LAYOUT_H_

#include <optional>
#include <vector>

#include "canvas.h"

namespace talweg::formats {

class LabelLayout {
 public:
  // Labels stay within `bounds`; boxes in `taken` are kept free.
  LabelLayout(const PixelBox& bounds, std::vector<PixelBox> taken)
      : bounds_(bounds), taken_(std::move(taken)) {}

  // The box of a label of this size near `point`, right of it if that is free;
  // nothing when each of eight places is taken.
  std::optional<PixelBox> Place(const PixelPoint& point, double width, double height);

 private:
  PixelBox bounds_;
  std::vector<PixelBox> taken_;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_LABEL_LAYOUT_H_
