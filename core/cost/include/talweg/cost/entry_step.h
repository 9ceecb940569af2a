// Friction of the cell that is entered, length ignored: MCP's and dijkstra3d's rule.
#ifndef TALWEG_COST_ENTRY_STEP_H_
#define TALWEG_COST_ENTRY_STEP_H_

namespace talweg {

struct EntryStep {
  static constexpr double StepCost(double /*half_length*/, double /*friction_from*/,
                                   double friction_to) {
    return friction_to;
  }
  static constexpr double SourceCost(double friction) { return friction; }
};

}  // namespace talweg

#endif  // TALWEG_COST_ENTRY_STEP_H_
