// Mean of the two frictions times the length: MCP_Geometric's and r.cost's rule.
#ifndef TALWEG_COST_MEAN_STEP_H_
#define TALWEG_COST_MEAN_STEP_H_

namespace talweg {

struct MeanStep {
  // Evaluated in exactly this order in float64, never fused: the field then
  // equals scikit-image's bit for bit.
  static constexpr double StepCost(double half_length, double friction_from, double friction_to) {
    return half_length * (friction_from + friction_to);
  }
  static constexpr double SourceCost(double /*friction*/) { return 0.0; }
};

}  // namespace talweg

#endif  // TALWEG_COST_MEAN_STEP_H_
