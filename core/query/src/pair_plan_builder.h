// Groups pairs by source into searches.
#ifndef TALWEG_QUERY_PAIR_PLAN_BUILDER_H_
#define TALWEG_QUERY_PAIR_PLAN_BUILDER_H_

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "talweg/query/pair_plan.h"

namespace talweg {

class PairPlanBuilder {
 public:
  PairPlanBuilder(const Shape& shape, Paths paths) : shape_(shape), paths_(paths) {}

  // Adds a pair whose points are these. The search runs from `source` to
  // `destination`; with kReversed, the pair's own source is the search's
  // destination.
  void Add(const PlannedPair& pair, const ResolvedPoint& source, const ResolvedPoint& destination);

  // Adds a pair with a bad point to the decided ones; false when both are good.
  bool Decide(const PairIndex& pair, const ResolvedPoint& source, const ResolvedPoint& destination);

  PairPlan Build() && { return std::move(plan_); }

 private:
  Shape shape_;
  Paths paths_;
  PairPlan plan_;
  std::map<std::pair<CellIndex, double>, size_t> search_of_source_;
  std::vector<std::unordered_map<CellIndex, size_t>> slot_of_destination_;  // per search
};

}  // namespace talweg

#endif  // TALWEG_QUERY_PAIR_PLAN_BUILDER_H_
