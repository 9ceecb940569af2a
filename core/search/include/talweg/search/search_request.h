// One search: where it starts, what it must reach, how it ended.
#ifndef TALWEG_SEARCH_SEARCH_REQUEST_H_
#define TALWEG_SEARCH_SEARCH_REQUEST_H_

#include <cstdint>
#include <vector>

#include "talweg/grid/shape.h"

namespace talweg {

struct Source {
  CellIndex cell = 0;
  double start_cost = 0;  // finite, >= 0; added to the model's cost at the source
  int32_t number = 0;     // what allocation writes for cells this source serves
};

struct SearchRequest {
  std::vector<Source> sources;          // at least one; cells may repeat
  std::vector<CellIndex> destinations;  // none: the full field; cells may repeat
};

// Numbers are those of the wire format.
enum class StopCause : uint8_t {
  kComplete = 1,             // everything reachable is settled
  kDestinationsSettled = 2,  // every destination is settled
  kMaxCost = 3,              // some cell lies beyond max_cost
};

// How a search ended. The answer holds exactly the cells with cost <= bound.
struct SearchSummary {
  StopCause stop_cause = StopCause::kComplete;
  double bound = 0;
  uint64_t settled_cells = 0;  // work done: cells whose steps were relaxed, repeats included
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_SEARCH_REQUEST_H_
