#include "pair_plan_builder.h"

namespace talweg {

bool PairPlanBuilder::Decide(const PairIndex& pair, const ResolvedPoint& source,
                             const ResolvedPoint& destination) {
  const auto decide = [&](Outcome outcome) {
    plan_.decided.push_back({pair, outcome});
    return true;
  };
  if (source.outcome == PointOutcome::kOutside) return decide(Outcome::kSourceOutside);
  if (source.outcome == PointOutcome::kImpassable) return decide(Outcome::kSourceImpassable);
  if (destination.outcome == PointOutcome::kOutside) return decide(Outcome::kDestinationOutside);
  if (destination.outcome == PointOutcome::kImpassable) {
    return decide(Outcome::kDestinationImpassable);
  }
  return false;
}

void PairPlanBuilder::Add(const PlannedPair& pair, const ResolvedPoint& source,
                          const ResolvedPoint& destination) {
  const CellIndex source_cell = ToIndex(shape_, source.cell);
  const CellIndex destination_cell = ToIndex(shape_, destination.cell);
  const auto [search, is_new_search] =
      search_of_source_.try_emplace({source_cell, source.start_cost}, plan_.searches.size());
  if (is_new_search) {
    PlannedSearch& planned = plan_.searches.emplace_back();
    planned.request.source = {.cell = source_cell, .start_cost = source.start_cost, .number = 0};
    planned.request.paths = paths_;
    slot_of_destination_.emplace_back();
  }
  PlannedSearch& planned = plan_.searches[search->second];
  const auto [slot, is_new_slot] = slot_of_destination_[search->second].try_emplace(
      destination_cell, planned.request.destinations.size());
  if (is_new_slot) {
    planned.request.destinations.push_back(destination_cell);
    planned.answers.emplace_back();
  }
  planned.answers[slot->second].push_back(pair);
}

}  // namespace talweg
