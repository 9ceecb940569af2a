// Viridis, by nine anchors: perceptually even, readable without colour vision.
#ifndef TALWEG_FORMATS_SRC_COLOUR_RAMP_H_
#define TALWEG_FORMATS_SRC_COLOUR_RAMP_H_

#include "canvas.h"

namespace talweg::formats {

// `position` from 0 (dark violet) to 1 (yellow); clamped.
Colour RampColour(double position);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_COLOUR_RAMP_H_
