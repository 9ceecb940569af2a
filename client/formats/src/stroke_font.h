// Letters made of strokes: no font file, any size, anti-aliased.
#ifndef TALWEG_FORMATS_SRC_STROKE_FONT_H_
#define TALWEG_FORMATS_SRC_STROKE_FONT_H_

#include <string_view>

#include "canvas.h"

namespace talweg::formats {

struct TextStyle {
  double cap_height = 12;  // pixels, of a capital letter
  Colour colour = {};
};

// Pixels from the first stroke's left to the last one's right.
double TextWidth(std::string_view text, double cap_height);

// Draws printable ASCII with its baseline's left end at `origin`; other
// characters are drawn as a box, one per UTF-8 sequence.
void DrawText(Canvas& canvas, const PixelPoint& origin, std::string_view text,
              const TextStyle& style);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_STROKE_FONT_H_
