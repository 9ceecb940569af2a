#include "colour_ramp.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace talweg::formats {
namespace {

// matplotlib's viridis (CC0) at 0, 1/8 ... 1.
constexpr std::array<Colour, 9> kAnchors = {Colour{68, 1, 84}, {71, 44, 122},  {59, 81, 139},
                                            {44, 113, 142},    {33, 144, 141}, {39, 173, 129},
                                            {92, 200, 99},     {170, 220, 50}, {253, 231, 37}};

uint8_t Mix(uint8_t a, uint8_t b, double t) {
  return static_cast<uint8_t>(std::lround(a + (b - a) * t));
}

}  // namespace

Colour RampColour(double position) {
  const double scaled = std::clamp(position, 0.0, 1.0) * (kAnchors.size() - 1);
  const auto lower = std::min(static_cast<size_t>(scaled), kAnchors.size() - 2);
  const double t = scaled - static_cast<double>(lower);
  const Colour& a = kAnchors[lower];
  const Colour& b = kAnchors[lower + 1];
  return {Mix(a.red, b.red, t), Mix(a.green, b.green, t), Mix(a.blue, b.blue, t)};
}

}  // namespace talweg::formats
