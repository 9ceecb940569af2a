// The cost field: accumulated cost from one or many sources, with back-links
// and allocation when asked for.
#ifndef TALWEG_QUERY_COST_FIELD_H_
#define TALWEG_QUERY_COST_FIELD_H_

#include <vector>

#include "absl/status/statusor.h"
#include "talweg/base/stop_token.h"
#include "talweg/cost/cost_surface.h"
#include "talweg/grid/raster.h"
#include "talweg/query/one_to_many.h"
#include "talweg/search/engine.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/search/search_request.h"
#include "talweg/search/search_workspace.h"

namespace talweg {

struct CostFieldSummary {
  StopCause stop_cause = StopCause::kComplete;
  uint64_t reached_cells = 0;
  uint64_t settled_cells = 0;
  std::vector<PairAnswer>
      destinations;  // outcome and cost per destination, in order; no length, no path
};

// Sources must lie on the surface. Impassable sources are left out; with none
// left, nothing is reached. Fails like RunOneToMany.
absl::StatusOr<CostFieldSummary> RunCostField(const CostSurfaceView& surface,
                                              const EngineRecipe& recipe,
                                              const SearchRequest& request,
                                              const FieldOutputs& outputs,
                                              SearchWorkspace& workspace, SearchControl& control);

}  // namespace talweg

#endif  // TALWEG_QUERY_COST_FIELD_H_
