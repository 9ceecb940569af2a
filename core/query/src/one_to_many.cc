#include "talweg/query/one_to_many.h"

#include <utility>

#include "talweg/base/status_macros.h"

namespace talweg {
namespace {

PairAnswer Unanswered(Outcome outcome) {
  PairAnswer answer;
  answer.outcome = outcome;
  return answer;
}

}  // namespace

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kUnreachable:
      return "unreachable";
    case Outcome::kBeyondMaxCost:
      return "beyond_max_cost";
    case Outcome::kSourceOutside:
      return "source_outside";
    case Outcome::kDestinationOutside:
      return "destination_outside";
    case Outcome::kSourceImpassable:
      return "source_impassable";
    case Outcome::kDestinationImpassable:
      return "destination_impassable";
  }
  return "unknown";
}

PairAnswer DestinationAnswer(const Engine& engine, const SearchSummary& summary,
                             CellIndex destination) {
  if (!engine.IsPassable(destination)) return Unanswered(Outcome::kDestinationImpassable);
  const double cost = engine.CostAt(destination);
  if (cost < kNoMaxCost) {
    PairAnswer answer;
    answer.outcome = Outcome::kOk;
    answer.cost = cost;
    return answer;
  }
  return Unanswered(summary.stop_cause == StopCause::kMaxCost ? Outcome::kBeyondMaxCost
                                                              : Outcome::kUnreachable);
}

absl::StatusOr<OneToManyAnswer> RunOneToMany(const CostSurfaceView& surface,
                                             const EngineRecipe& recipe,
                                             const OneToManyRequest& request,
                                             SearchWorkspace& workspace, SearchControl& control) {
  TALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine,
                          Engine::Build(surface, recipe, workspace));
  // Impassable destinations would keep the search going for nothing.
  SearchRequest search{.sources = {request.source}, .destinations = {}};
  const CellIndex cells = surface.shape().cells();
  for (const CellIndex destination : request.destinations) {
    const bool on_surface = destination >= 0 && destination < cells;
    if (!on_surface || engine->IsPassable(destination)) search.destinations.push_back(destination);
  }
  OneToManyAnswer answer;
  const bool source_on_surface = request.source.cell >= 0 && request.source.cell < cells;
  if (source_on_surface && !engine->IsPassable(request.source.cell)) {
    answer.pairs.assign(request.destinations.size(), Unanswered(Outcome::kSourceImpassable));
    return answer;
  }
  SearchSummary summary;
  if (!search.destinations.empty()) {
    TALWEG_ASSIGN_OR_RETURN(summary, engine->Run(search, control));
  }
  answer.settled_cells = summary.settled_cells;
  answer.pairs.reserve(request.destinations.size());
  for (const CellIndex destination : request.destinations) {
    // Long lists of long paths take time of their own.
    TALWEG_RETURN_IF_ERROR(control.Poll(0, summary.bound));
    PairAnswer pair = search.destinations.empty()
                          ? Unanswered(Outcome::kDestinationImpassable)
                          : DestinationAnswer(*engine, summary, destination);
    if (pair.outcome == Outcome::kOk) {
      TracedPath traced = engine->Trace(destination);
      pair.path = {.start = traced.source, .steps = std::move(traced.steps)};
      pair.length = PathLength(pair.path, recipe.lengths);
      if (request.paths == Paths::kOmit) pair.path = {};
    }
    answer.pairs.push_back(std::move(pair));
  }
  return answer;
}

}  // namespace talweg
