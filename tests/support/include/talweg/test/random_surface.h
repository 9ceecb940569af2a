// Seeded random cost surfaces of every type and temper.
#ifndef TALWEG_TEST_RANDOM_SURFACE_H_
#define TALWEG_TEST_RANDOM_SURFACE_H_

#include <cstdint>
#include <string>

#include "talweg/cost/cost_surface.h"

namespace talweg::test {

enum class Temper {
  kUniform,    // [0, 1) or small integers
  kPlateaux,   // half of the cells are 0
  kConstant,   // all 1: ties everywhere
  kObstacles,  // 1 with a third of the cells impassable
  kNearZero,   // 1e-12 to 1, log-uniform
  kExtreme,    // 1e-300 to 1e300, log-uniform (floats: 1e-37 to 1e37)
  kDenormal,   // denormals and zeros
  kMixed,      // zeros, nodata, negatives, NaN, infinities, ordinary values
};
inline constexpr int kTemperCount = 8;

std::string TemperName(Temper temper);

// A surface of `shape` whose cells follow `temper` as far as `type` can hold
// them; kMixed and kObstacles declare 7 as nodata. The same arguments give
// the same surface.
CostSurface RandomSurface(Shape shape, ValueType type, Temper temper, uint64_t seed);

// The base seed of a test run: TALWEG_TEST_SEED, else 20240229.
uint64_t BaseSeed();

}  // namespace talweg::test

#endif  // TALWEG_TEST_RANDOM_SURFACE_H_
