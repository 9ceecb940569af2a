#include "stroke_font.h"

#include <algorithm>
#include <array>
#include <functional>

namespace talweg::formats {
namespace {

// Each glyph is a list of strokes; a stroke is a list of points, two digits
// each: x from 0 to 4, y from 0 (top of a capital) over 6 (baseline) to 8
// (lowest of a descender). A stroke of one point twice is a dot.
constexpr std::string_view kBox = "0040460600";
constexpr std::array<std::string_view, 95> kGlyphs = {
    "",                                     // space
    "0004 0606",                            // !
    "0001 2021",                            // "
    "1016 3036 0242 0444",                  // #
    "413010010213334445361605 2026",        // $
    "0640 0101 4545",                       // %
    "46011020310405163644",                 // &
    "0001",                                 // '
    "10020416",                             // (
    "00121406",                             // )
    "2125 0242 0442",                       // *
    "0343 2125",                            // +
    "0608",                                 // ,
    "0333",                                 // -
    "0606",                                 // .
    "0640",                                 // /
    "103041453616050110",                   // 0
    "012026 0646",                          // 1
    "01103041420646",                       // 2
    "01103041423313 334445361605",          // 3
    "36300444",                             // 4
    "400002324345361605",                   // 5
    "413010010516364544331304",             // 6
    "004016",                               // 7
    "103041423313020110 1304051636454433",  // 8
    "423313020110304145361605",             // 9
    "0303 0606",                            // :
    "0303 0608",                            // ;
    "400346",                               // <
    "0242 0444",                            // =
    "004306",                               // >
    "01103041422324 2626",                  // ?
    "33221324334441301001051636",           // @
    "062046 1434",                          // A
    "06003041423303 3344453606",            // B
    "4130100105163645",                     // C
    "06003041453606",                       // D
    "40000646 0333",                        // E
    "400006 0333",                          // F
    "41301001051636454323",                 // G
    "0006 4046 0343",                       // H
    "0020 1016 0626",                       // I
    "4045361605",                           // J
    "0006 400346",                          // K
    "000646",                               // L
    "0600234046",                           // M
    "06004640",                             // N
    "103041453616050110",                   // O
    "06003041423303",                       // P
    "103041453616050110 2446",              // Q
    "06003041423303 2346",                  // R
    "413010010213334445361605",             // S
    "0040 2026",                            // T
    "000516364540",                         // U
    "002640",                               // V
    "0016233640",                           // W
    "0046 4006",                            // X
    "002340 2326",                          // Y
    "00400646",                             // Z
    "10000616",                             // [
    "0046",                                 // backslash
    "00101606",                             // ]
    "021022",                               // ^
    "0747",                                 // _
    "0011",                                 // `
    "4332120305163645 4246",                // a
    "0006 0312324345361605",                // b
    "4332120305163645",                     // c
    "4046 4332120305163645",                // d
    "04444332120305163645",                 // e
    "30201116 0232",                        // f
    "4332120305163645 4247381807",          // g
    "0006 0312324346",                      // h
    "0206 0000",                            // i
    "121708 1010",                          // j
    "0006 320436",                          // k
    "0006",                                 // l
    "0206 03122326 23324346",               // m
    "0206 0312324346",                      // n
    "123243453616050312",                   // o
    "0208 0312324345361605",                // p
    "4248 4332120305163645",                // q
    "0206 031232",                          // r
    "4212031434453606",                     // s
    "10152636 0232",                        // t
    "0205163645 4246",                      // u
    "022642",                               // v
    "0216233642",                           // w
    "0246 4206",                            // x
    "0226 4218",                            // y
    "02420646",                             // z
    "201012031416 1626",                    // {
    "0008",                                 // |
    "001012231416 1606",                    // }
    "03122342",                             // ~
};

constexpr double kSpaceAdvance = 4;  // grid units
constexpr double kLetterGap = 1.9;
constexpr double kCapUnits = 6;

std::string_view Glyph(char c) {
  return c >= ' ' && c <= '~' ? kGlyphs[static_cast<size_t>(c - ' ')] : kBox;
}

// Whether the byte continues a UTF-8 sequence: its first byte was drawn.
bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

double GlyphWidth(std::string_view glyph) {
  double width = 0;
  for (size_t i = 0; i + 1 < glyph.size(); i += 2) {
    if (glyph[i] == ' ') ++i;
    width = std::max(width, static_cast<double>(glyph[i] - '0'));
  }
  return width;
}

double Advance(char c) { return (c == ' ' ? kSpaceAdvance : GlyphWidth(Glyph(c)) + kLetterGap); }

// Calls visit(from, to) for each segment of a text, in grid units from the
// baseline's left end.
void VisitSegments(std::string_view text,
                   const std::function<void(const PixelPoint&, const PixelPoint&)>& visit) {
  double left = 0;
  for (const char c : text) {
    if (IsContinuation(c)) continue;
    const std::string_view glyph = Glyph(c);
    bool has_previous = false;
    PixelPoint previous;
    for (size_t i = 0; i + 1 < glyph.size();) {
      if (glyph[i] == ' ') {
        has_previous = false;
        ++i;
        continue;
      }
      const PixelPoint point{left + (glyph[i] - '0'), (glyph[i + 1] - '0') - kCapUnits};
      if (has_previous) visit(previous, point);
      previous = point;
      has_previous = true;
      i += 2;
    }
    left += Advance(c);
  }
}

}  // namespace

double TextWidth(std::string_view text, double cap_height) {
  double units = 0;
  for (const char c : text) {
    if (!IsContinuation(c)) units += Advance(c);
  }
  return std::max(units - kLetterGap, 0.0) * cap_height / kCapUnits;
}

void DrawText(Canvas& canvas, const PixelPoint& origin, std::string_view text,
              const TextStyle& style) {
  const double unit = style.cap_height / kCapUnits;
  const double line_width = std::max(1.2, style.cap_height * 0.155);
  const double margin = line_width + 1;
  const double below = style.cap_height / 3;  // descenders
  Coverage coverage({origin.x - margin, origin.y - style.cap_height - margin,
                     origin.x + TextWidth(text, style.cap_height) + margin,
                     origin.y + below + margin});
  VisitSegments(text, [&](const PixelPoint& from, const PixelPoint& to) {
    coverage.AddSegment({origin.x + from.x * unit, origin.y + from.y * unit},
                        {origin.x + to.x * unit, origin.y + to.y * unit}, line_width);
  });
  canvas.Paint(coverage, style.colour);
}

}  // namespace talweg::formats
