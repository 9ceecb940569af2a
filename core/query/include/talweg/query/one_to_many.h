// The unit of work behind routes and matrices: one search from one source,
// stopped as soon as its destinations are settled.
#ifndef TALWEG_QUERY_ONE_TO_MANY_H_
#define TALWEG_QUERY_ONE_TO_MANY_H_

#include <limits>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/base/stop_token.h"
#include "talweg/cost/cost_surface.h"
#include "talweg/query/path.h"
#include "talweg/search/engine.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/search/search_request.h"
#include "talweg/search/search_workspace.h"

namespace talweg {

// What became of a pair. Numbers are those of the wire format.
enum class Outcome : uint8_t {
  kOk = 1,
  kUnreachable = 2,    // everything reachable was searched
  kBeyondMaxCost = 3,  // not reached within max_cost
  kSourceOutside = 4,
  kDestinationOutside = 5,
  kSourceImpassable = 6,
  kDestinationImpassable = 7,
};

// "ok", "unreachable", ...: the words of the files.
std::string_view OutcomeName(Outcome outcome);

enum class Paths : bool { kOmit = false, kInclude = true };

// Cells must lie on the surface; impassable ones are outcomes.
struct OneToManyRequest {
  Source source;
  std::vector<CellIndex> destinations;  // at least one; cells may repeat
  Paths paths = Paths::kOmit;
};

struct PairAnswer {
  Outcome outcome = Outcome::kUnreachable;
  double cost = std::numeric_limits<double>::quiet_NaN();    // NaN unless the outcome is kOk
  double length = std::numeric_limits<double>::quiet_NaN();  // likewise; sum of the step lengths
  Path path;  // empty unless asked for and the outcome is kOk
};

struct OneToManyAnswer {
  std::vector<PairAnswer> pairs;  // in the order of the destinations
  uint64_t settled_cells = 0;
};

// Outcome and cost of a destination after a search; no length and no path.
PairAnswer DestinationAnswer(const Engine& engine, const SearchSummary& summary,
                             CellIndex destination);

// Runs the search in `workspace`. Fails with CELL_LIMIT, CANCELLED,
// DEADLINE_EXCEEDED, OUT_OF_MEMORY or INVALID_VALUE; never with a partial
// answer.
absl::StatusOr<OneToManyAnswer> RunOneToMany(const CostSurfaceView& surface,
                                             const EngineRecipe& recipe,
                                             const OneToManyRequest& request,
                                             SearchWorkspace& workspace, SearchControl& control);

}  // namespace talweg

#endif  // TALWEG_QUERY_ONE_TO_MANY_H_
