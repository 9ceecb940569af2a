// The oracle: Dijkstra's algorithm with a binary heap, in a page, kept for
// ever. Every other kernel must equal it bit for bit.
//
//   cost[v] = min over neighbours u of (cost[u] + step(u, v)), float64
//
// Additions of non-negative numbers are monotone in floating point, so this
// least fixpoint is one number per cell, whatever the order of relaxations.
// O(n log n) time, about 40 bytes per cell. Source: Dijkstra 1959.
#ifndef TALWEG_SEARCH_ORACLE_H_
#define TALWEG_SEARCH_ORACLE_H_

#include "absl/status/statusor.h"
#include "talweg/cost/cost_surface.h"
#include "talweg/grid/raster.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/search/search_request.h"

namespace talweg {

struct OracleAnswer {
  Raster<double> costs;      // +inf not reached, NaN impassable
  Raster<double> frictions;  // +inf impassable
  SearchSummary summary;     // settled_cells counts each cell once
};

// The answer by the rules of stopping; impassable sources are left out.
// CELL_LIMIT, or INVALID_VALUE from the recipe. Cells must lie on the surface.
absl::StatusOr<OracleAnswer> RunOracle(const CostSurfaceView& surface, const EngineRecipe& recipe,
                                       const SearchRequest& request);

}  // namespace talweg

#endif  // TALWEG_SEARCH_ORACLE_H_
