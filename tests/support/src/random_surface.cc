#include "talweg/test/random_surface.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace talweg::test {
namespace {

constexpr double kNodata = 7;

using Random = std::mt19937_64;

double Uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

double LogUniform(Random& random, double low_exponent, double high_exponent) {
  return std::pow(10.0, low_exponent + (high_exponent - low_exponent) * Uniform(random));
}

template <class T>
T RandomInteger(Random& random, Temper temper) {
  const double u = Uniform(random);
  switch (temper) {
    case Temper::kPlateaux:
    case Temper::kDenormal:
      return static_cast<T>(u < 0.5 ? 0 : 1 + static_cast<int>(u * 20));
    case Temper::kConstant:
      return T{1};
    case Temper::kObstacles:
      return static_cast<T>(u < 0.33 ? kNodata : 1);
    case Temper::kExtreme:
      return static_cast<T>(Uniform(random) * static_cast<double>(std::numeric_limits<T>::max()));
    case Temper::kMixed:
      if (u < 0.15) return static_cast<T>(kNodata);
      if (u < 0.3) return T{0};
      if (u < 0.4 && std::is_signed_v<T>) return static_cast<T>(-3);
      [[fallthrough]];
    default:
      return static_cast<T>(1 + static_cast<int>(Uniform(random) * 90));
  }
}

template <class T>
T RandomReal(Random& random, Temper temper) {
  constexpr bool kSingle = std::is_same_v<T, float>;
  const double u = Uniform(random);
  switch (temper) {
    case Temper::kUniform:
      return static_cast<T>(u);
    case Temper::kPlateaux:
      return static_cast<T>(u < 0.5 ? 0 : u);
    case Temper::kConstant:
      return T{1};
    case Temper::kObstacles:
      return static_cast<T>(u < 0.33 ? kNodata : 1);
    case Temper::kNearZero:
      return static_cast<T>(LogUniform(random, -12, 0));
    case Temper::kExtreme:
      return static_cast<T>(kSingle ? LogUniform(random, -37, 37) : LogUniform(random, -300, 300));
    case Temper::kDenormal:
      return u < 0.3 ? T{0}
                     : static_cast<T>(std::floor(u * 1000)) * std::numeric_limits<T>::denorm_min();
    case Temper::kMixed:
      if (u < 0.1) return static_cast<T>(kNodata);
      if (u < 0.2) return T{0};
      if (u < 0.25) return static_cast<T>(-1.5);
      if (u < 0.3) return std::numeric_limits<T>::quiet_NaN();
      if (u < 0.33) return std::numeric_limits<T>::infinity();
      if (u < 0.36) return -std::numeric_limits<T>::infinity();
      if (u < 0.4) return static_cast<T>(-0.0);
      return static_cast<T>(Uniform(random));
  }
  return T{0};
}

}  // namespace

std::string TemperName(Temper temper) {
  constexpr const char* kNames[] = {"Uniform",  "Plateaux", "Constant", "Obstacles",
                                    "NearZero", "Extreme",  "Denormal", "Mixed"};
  return kNames[static_cast<int>(temper)];
}

CostSurface RandomSurface(Shape shape, ValueType type, Temper temper, uint64_t seed) {
  Random random(seed);
  SurfaceDescription description;
  if (temper == Temper::kMixed || temper == Temper::kObstacles) description.nodata = {kNodata};
  return VisitValueType(type, [&](auto tag) {
    using T = decltype(tag);
    Raster<T> cells(shape);
    for (CellIndex i = 0; i < shape.cells(); ++i) {
      if constexpr (std::is_integral_v<T>)
        cells.view()[i] = RandomInteger<T>(random, temper);
      else
        cells.view()[i] = RandomReal<T>(random, temper);
    }
    return CostSurface(std::move(cells), description);
  });
}

uint64_t BaseSeed() {
  const char* given = std::getenv("TALWEG_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 20240229;
}

}  // namespace talweg::test
