#include "talweg/search/oracle.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg {
namespace {

struct Pending {
  double cost;
  CellIndex cell;
  bool operator>(const Pending& other) const { return cost > other.cost; }
};

template <StepCostModel Model>
absl::StatusOr<OracleAnswer> Search(const CostSurfaceView& surface, const EngineRecipe& recipe,
                                    const SearchRequest& request) {
  const Shape shape = surface.shape();
  const FrictionRule rule = surface.WithOwnNodata(recipe.friction);
  const StepLengthTable lengths = LengthsByCode(recipe.lengths);
  OracleAnswer answer{.costs = Raster<double>(shape, kImpassableFriction),
                      .frictions = Raster<double>(shape),
                      .summary = {}};
  const auto cost = answer.costs.view();
  const auto friction = answer.frictions.view();
  for (CellIndex i = 0; i < shape.cells(); ++i) {
    friction[i] = surface.FrictionAt(ToCell(shape, i), rule);
  }

  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> heap;
  for (const Source& source : request.sources) {
    const double start = source.start_cost + Model::SourceCost(friction[source.cell]);
    if (!IsPassable(friction[source.cell]) || !(start < cost[source.cell])) continue;
    cost[source.cell] = start;
    heap.push({start, source.cell});
  }

  std::vector<bool> settled(static_cast<size_t>(shape.cells()));
  std::vector<CellIndex> open_destinations = request.destinations;
  std::sort(open_destinations.begin(), open_destinations.end());
  open_destinations.erase(std::unique(open_destinations.begin(), open_destinations.end()),
                          open_destinations.end());
  double bound = recipe.max_cost;
  bool destinations_settled = false;
  while (!heap.empty() && heap.top().cost <= bound) {
    const auto [cost_u, u] = heap.top();
    heap.pop();
    if (settled[static_cast<size_t>(u)]) continue;
    settled[static_cast<size_t>(u)] = true;
    if (++answer.summary.settled_cells > recipe.max_cells) {
      return CellLimitReached(answer.summary.settled_cells, recipe.max_cells);
    }
    if (std::erase(open_destinations, u) > 0 && open_destinations.empty()) {
      destinations_settled = true;
      bound = cost_u;  // equal costs still belong to the answer
    }
    const Cell cell_u = ToCell(shape, u);
    for (StepCode code = 0; code < StepCount(recipe.neighbourhood); ++code) {
      const Cell cell_v = {cell_u.row + kSteps[code].row, cell_u.col + kSteps[code].col};
      if (!Contains(shape, cell_v)) continue;
      const CellIndex v = ToIndex(shape, cell_v);
      const double candidate =
          cost_u + Model::StepCost(lengths[code] / 2, friction[u], friction[v]);
      if (candidate < cost[v]) {
        cost[v] = candidate;
        heap.push({candidate, v});
      }
    }
  }

  answer.summary.bound = bound;
  answer.summary.stop_cause = destinations_settled ? StopCause::kDestinationsSettled
                              : heap.empty()       ? StopCause::kComplete
                                                   : StopCause::kMaxCost;
  for (CellIndex i = 0; i < shape.cells(); ++i) {
    if (!IsPassable(friction[i]))
      cost[i] = std::nan("");
    else if (!(cost[i] <= bound))
      cost[i] = kImpassableFriction;
  }
  return answer;
}

}  // namespace

absl::StatusOr<OracleAnswer> RunOracle(const CostSurfaceView& surface, const EngineRecipe& recipe,
                                       const SearchRequest& request) {
  TALWEG_RETURN_IF_ERROR(ValidateEngineRecipe(recipe));
  return VisitStepModel(recipe.step_model, [&](auto model) {
    return Search<decltype(model)>(surface, recipe, request);
  });
}

}  // namespace talweg
