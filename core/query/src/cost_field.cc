#include "talweg/query/cost_field.h"

#include "talweg/base/status_macros.h"

namespace talweg {

absl::StatusOr<CostFieldSummary> RunCostField(const CostSurfaceView& surface,
                                              const EngineRecipe& recipe,
                                              const SearchRequest& request,
                                              const FieldOutputs& outputs,
                                              SearchWorkspace& workspace, SearchControl& control) {
  TALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine,
                          Engine::Build(surface, recipe, workspace));
  TALWEG_ASSIGN_OR_RETURN(const SearchSummary search, engine->Run(request, control));
  CostFieldSummary summary;
  summary.stop_cause = search.stop_cause;
  summary.settled_cells = search.settled_cells;
  summary.reached_cells = engine->WriteField(outputs);
  for (const CellIndex destination : request.destinations) {
    summary.destinations.push_back(DestinationAnswer(*engine, search, destination));
  }
  return summary;
}

}  // namespace talweg
