// A minimum-cost-path engine: built from a recipe over a surface for one
// request, run, asked, and dropped. It never travels between processes.
#ifndef TALWEG_SEARCH_ENGINE_H_
#define TALWEG_SEARCH_ENGINE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/base/stop_token.h"
#include "talweg/cost/cost_surface.h"
#include "talweg/grid/raster.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/search/search_request.h"
#include "talweg/search/search_workspace.h"

namespace talweg {

// Where a field goes: rasters of the surface's shape, filled completely.
struct FieldOutputs {
  RasterView<double> costs;  // +inf not reached, NaN impassable
  std::optional<RasterView<StepCode>> back_links = std::nullopt;
  std::optional<RasterView<int32_t>> allocation = std::nullopt;  // Source::number, -1 not reached
};

// The moves of a path from its source to its destination, with the source.
struct TracedPath {
  CellIndex source = 0;
  std::string steps;  // one StepCode per byte, first move first
};

class Engine {
 public:
  // `surface` and `workspace` must outlive the engine; the workspace serves
  // one engine at a time. INVALID_VALUE, OUT_OF_MEMORY.
  static absl::StatusOr<std::unique_ptr<Engine>> Build(const CostSurfaceView& surface,
                                                       const EngineRecipe& recipe,
                                                       SearchWorkspace& workspace);
  virtual ~Engine() = default;

  // Runs one search; what follows asks about the latest one. Sources on
  // impassable cells are left out. INVALID_VALUE for cells off the surface or
  // bad start costs, CELL_LIMIT, CANCELLED, DEADLINE_EXCEEDED, OUT_OF_MEMORY;
  // after an error there is no answer to ask about.
  virtual absl::StatusOr<SearchSummary> Run(const SearchRequest& request,
                                            SearchControl& control) = 0;

  // Whether the cell can be entered under the recipe. Precondition for this
  // and the next two: 0 <= cell < rows * cols.
  virtual bool IsPassable(CellIndex cell) const = 0;

  // Accumulated cost; +inf where the answer does not reach (including
  // impassable cells).
  virtual double CostAt(CellIndex cell) const = 0;

  // The path to a cell by the back-link rule. Precondition: CostAt is finite.
  // O(path), plus the size of the zero-cost plateaux it crosses.
  virtual TracedPath Trace(CellIndex destination) = 0;

  // Fills the rasters and returns the number of reached cells. O(rows * cols).
  virtual uint64_t WriteField(const FieldOutputs& outputs) = 0;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_ENGINE_H_
