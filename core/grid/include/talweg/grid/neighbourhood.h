// The steps that are allowed from a cell, in the printed order that breaks
// ties and numbers back-links.
#ifndef TALWEG_GRID_NEIGHBOURHOOD_H_
#define TALWEG_GRID_NEIGHBOURHOOD_H_

#include <array>
#include <cstdint>
#include <span>

#include "talweg/grid/geotransform.h"

namespace talweg {

//        7 0 4          code of the move: 0 N, 1 E, 2 S, 3 W,
//        3 . 1                            4 NE, 5 SE, 6 SW, 7 NW
//        6 2 5          (a move N ends one row above its start)
struct Step {
  int row;
  int col;
};

inline constexpr std::array<Step, 8> kSteps = {Step{-1, 0}, {0, 1}, {1, 0},  {0, -1},
                                               {-1, 1},     {1, 1}, {1, -1}, {-1, -1}};

// Code of a move: its index in kSteps.
using StepCode = uint8_t;

// Codes of a back-link raster that are no move.
inline constexpr StepCode kBackLinkSource = 255;
inline constexpr StepCode kBackLinkNotReached = 254;
inline constexpr StepCode kBackLinkImpassable = 253;

enum class Neighbourhood : uint8_t { kFour = 4, kEight = 8 };

constexpr int StepCount(Neighbourhood neighbourhood) { return static_cast<int>(neighbourhood); }

// The moves of a neighbourhood: a prefix of kSteps, orthogonals first.
constexpr std::span<const Step> StepsOf(Neighbourhood neighbourhood) {
  return std::span<const Step>(kSteps).first(static_cast<size_t>(StepCount(neighbourhood)));
}

// Largest excess of a path over the straight line on a uniform surface, in
// percent: 41.42 for 4 neighbours, 8.24 for 8.
double MaxElongationPercent(Neighbourhood neighbourhood);

// Lengths by step code.
using StepLengthTable = std::array<double, 8>;
StepLengthTable LengthsByCode(const StepLengths& lengths);

}  // namespace talweg

#endif  // TALWEG_GRID_NEIGHBOURHOOD_H_
