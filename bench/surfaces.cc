#include "surfaces.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace talweg::bench {
namespace {

using Random = std::mt19937_64;
constexpr uint64_t kSeed = 42;

double Uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

// Smooth noise in [0, 1): lattice values every `period` cells, bilinear
// between them, octave upon octave.
class Noise {
 public:
  Noise(Random& random, int64_t size, int64_t coarsest_period) {
    for (int64_t period = coarsest_period; period >= 4; period /= 2) {
      Octave octave{.period = period, .side = size / period + 2, .lattice = {}};
      octave.lattice.resize(static_cast<size_t>(octave.side * octave.side));
      for (double& value : octave.lattice) value = Uniform(random);
      octaves_.push_back(std::move(octave));
    }
  }

  double At(int64_t row, int64_t col) const {
    double sum = 0;
    double weight = 1;
    double weights = 0;
    for (const Octave& octave : octaves_) {
      sum += weight * octave.At(row, col);
      weights += weight;
      weight *= 0.55;
    }
    return sum / weights;
  }

 private:
  struct Octave {
    int64_t period;
    int64_t side;
    std::vector<double> lattice;

    double Lattice(int64_t r, int64_t c) const {
      return lattice[static_cast<size_t>(r * side + c)];
    }
    double At(int64_t row, int64_t col) const {
      const int64_t r = row / period;
      const int64_t c = col / period;
      const double fr = static_cast<double>(row % period) / static_cast<double>(period);
      const double fc = static_cast<double>(col % period) / static_cast<double>(period);
      return (1 - fr) * ((1 - fc) * Lattice(r, c) + fc * Lattice(r, c + 1)) +
             fr * ((1 - fc) * Lattice(r + 1, c) + fc * Lattice(r + 1, c + 1));
    }
  };
  std::vector<Octave> octaves_;
};

template <class CellValue>
CostSurface Fill(int64_t size, const CellValue& value) {
  Raster<double> cells({size, size});
  for (int64_t row = 0; row < size; ++row) {
    for (int64_t col = 0; col < size; ++col) cells(row, col) = value(row, col);
  }
  return CostSurface(std::move(cells));
}

}  // namespace

CostSurface MakeSurface(std::string_view name, int64_t size) {
  constexpr double kBlocked = std::numeric_limits<double>::quiet_NaN();
  constexpr double kBlobShare = 0.63;  // noise above it: about a tenth of the cells
  Random random(kSeed);
  if (name == "rand") return Fill(size, [&](auto, auto) { return Uniform(random); });
  if (name == "heavy") {
    return Fill(size, [&](auto, auto) { return std::pow(10.0, 6 * Uniform(random)); });
  }
  if (name == "tiny") {
    return Fill(size, [&](auto, auto) { return std::pow(10.0, 12 * Uniform(random) - 12); });
  }
  if (name == "zero") {
    return Fill(size, [&](auto, auto) {
      const double value = Uniform(random);
      return Uniform(random) < 0.5 ? 0.0 : value;
    });
  }
  if (name == "uni") return Fill(size, [](auto, auto) { return 1.0; });
  if (name == "u8") {
    Raster<uint8_t> cells({size, size});
    for (CellIndex i = 0; i < size * size; ++i) {
      cells.view()[i] = static_cast<uint8_t>(1 + static_cast<int>(Uniform(random) * 255));
    }
    return CostSurface(std::move(cells));
  }
  const Noise blobs(random, size, 64);
  if (name == "uobs") {
    return Fill(size, [&](int64_t row, int64_t col) {
      return blobs.At(row, col) > kBlobShare ? kBlocked : 1.0;
    });
  }
  const Noise relief(random, size, 256);
  return Fill(size, [&](int64_t row, int64_t col) {
    return blobs.At(row, col) > kBlobShare ? kBlocked : 1 + 99 * relief.At(row, col);
  });
}

}  // namespace talweg::bench
