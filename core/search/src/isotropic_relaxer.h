// The relaxer policy: which steps a cell has and what they cost. This one has
// four or eight neighbours, costs that do not depend on direction, and lengths
// that do not depend on the row. Another geometry is another relaxer; queue,
// tiles and stop rule do not know which one runs.
#ifndef TALWEG_SEARCH_ISOTROPIC_RELAXER_H_
#define TALWEG_SEARCH_ISOTROPIC_RELAXER_H_

#include <array>
#include <cstdint>

#include "padded_grid.h"
#include "talweg/cost/step_model.h"
#include "talweg/grid/neighbourhood.h"

namespace talweg {

template <StepCostModel Model, int kStepCount>
class IsotropicRelaxer {
 public:
  static constexpr int kSteps = kStepCount;

  IsotropicRelaxer(const StepLengths& lengths, int64_t stride) {
    const StepLengthTable by_code = LengthsByCode(lengths);
    for (size_t code = 0; code < offsets_.size(); ++code) {
      offsets_[code] =
          static_cast<int32_t>(talweg::kSteps[code].row * stride + talweg::kSteps[code].col);
      half_lengths_[code] = by_code[code] / 2;
    }
  }

  // Position of the neighbour a move leads to; 32-bit wrap-around is meant.
  PaddedIndex Move(PaddedIndex cell, size_t code) const {
    return cell + static_cast<PaddedIndex>(offsets_[code]);
  }
  // Where the move that enters `cell` comes from.
  PaddedIndex Origin(PaddedIndex cell, size_t code) const {
    return cell - static_cast<PaddedIndex>(offsets_[code]);
  }

  // Cost at the end of the move `code`, from a cell with this cost.
  template <class F>
  double CostAfter(double cost, size_t code, F friction_from, F friction_to) const {
    return cost + Model::StepCost(half_lengths_[code], static_cast<double>(friction_from),
                                  static_cast<double>(friction_to));
  }

  // Writes the neighbours whose label the steps from `cell` lower, and the new
  // labels, to `cells` and `new_labels`; returns how many. Only loads from the
  // arrays and does not branch on the data; both outputs need room for kSteps.
  template <class F>
  uint32_t Relax(const double* labels, const F* frictions, PaddedIndex cell, PaddedIndex* cells,
                 double* new_labels) const {
    const double cost = labels[cell];
    const F friction = frictions[cell];
    uint32_t count = 0;
    for (size_t code = 0; code < offsets_.size(); ++code) {
      const PaddedIndex neighbour = Move(cell, code);
      const double candidate = CostAfter(cost, code, friction, frictions[neighbour]);
      cells[count] = neighbour;
      new_labels[count] = candidate;
      count += candidate < labels[neighbour] ? 1U : 0U;
    }
    return count;
  }

 private:
  std::array<int32_t, size_t{kStepCount}> offsets_;
  std::array<double, size_t{kStepCount}> half_lengths_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_ISOTROPIC_RELAXER_H_
