#include "talweg/query/route.h"

#include "pair_plan_builder.h"

namespace talweg {

PairPlan PlanRoutes(const Shape& shape, const std::vector<ResolvedPoint>& sources,
                    const std::vector<ResolvedPoint>& destinations,
                    const std::vector<PairIndex>& pairs) {
  PairPlanBuilder builder(shape, Paths::kInclude);
  for (const PairIndex& pair : pairs) {
    const ResolvedPoint& source = sources[pair.source];
    const ResolvedPoint& destination = destinations[pair.destination];
    if (builder.Decide(pair, source, destination)) continue;
    builder.Add({.pair = pair, .sense = PathSense::kForward}, source, destination);
  }
  return std::move(builder).Build();
}

}  // namespace talweg
