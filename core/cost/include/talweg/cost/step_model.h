// What a step costs. A model is a type with two static members; kernels take
// it as a template parameter (no switch in an inner loop).
//
//   model   cost of the step u -> v                       cost at the source
//   mean    (length / 2) * (friction[u] + friction[v])    0
//   entry   friction[v]                                   friction[source]
//
// A model of its own goes into a header beside mean_step.h and entry_step.h
// and into VisitStepModel.
#ifndef TALWEG_COST_STEP_MODEL_H_
#define TALWEG_COST_STEP_MODEL_H_

#include <concepts>
#include <cstdint>
#include <cstdlib>

#include "talweg/cost/entry_step.h"
#include "talweg/cost/mean_step.h"

namespace talweg {

enum class StepModel : uint8_t { kMean = 1, kEntry = 2 };

// half_length: half the step's length, halved exactly before the search.
template <class M>
concept StepCostModel = requires(double half_length, double friction) {
  { M::StepCost(half_length, friction, friction) } -> std::same_as<double>;
  { M::SourceCost(friction) } -> std::same_as<double>;
};

static_assert(StepCostModel<MeanStep> && StepCostModel<EntryStep>);

// Calls f(Model{}) with the type of `model`.
template <class F>
decltype(auto) VisitStepModel(StepModel model, F&& f) {
  switch (model) {
    case StepModel::kMean:
      return f(MeanStep{});
    case StepModel::kEntry:
      return f(EntryStep{});
  }
  std::abort();  // not reached: the enum is validated where it enters
}

}  // namespace talweg

#endif  // TALWEG_COST_STEP_MODEL_H_
