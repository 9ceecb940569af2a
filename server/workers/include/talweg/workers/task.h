// What a worker is asked and what it answers.
#ifndef TALWEG_WORKERS_TASK_H_
#define TALWEG_WORKERS_TASK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/base/stop_token.h"
#include "talweg/query/cost_field.h"
#include "talweg/query/one_to_many.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/workers/field_segment.h"

namespace talweg::workers {

// A batch of searches, answered item by item in order.
struct PathsWork {
  std::vector<OneToManyRequest> items;
};

struct FieldWork {
  SearchRequest request;
  bool include_back_links = false;
  bool include_allocation = false;
};

using TaskWork = std::variant<PathsWork, FieldWork>;

struct PathsAnswer {
  std::vector<OneToManyAnswer> items;
};

struct FieldAnswer {
  CostFieldSummary summary;
  FieldSegment field;  // keeps the worker's sealed result mapped
};

using TaskAnswer = std::variant<PathsAnswer, FieldAnswer>;

struct Task {
  std::shared_ptr<const store::SharedCostSurface> surface;
  EngineRecipe recipe;
  TaskWork work;
  MonotonicTime deadline = MonotonicTime::max();
  // Called from a thread of the pool; must not block.
  std::function<void(uint64_t settled_cells, double frontier_cost)> on_progress;
  // Called exactly once, from a thread of the pool or of the caller; must not
  // block, and must not shut the pool down.
  std::function<void(absl::StatusOr<TaskAnswer>)> on_done;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TASK_H_
