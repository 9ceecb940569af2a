// The pool of worker processes and its bounded queue.
#ifndef TALWEG_WORKERS_WORKER_POOL_H_
#define TALWEG_WORKERS_WORKER_POOL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/base/stop_token.h"
#include "talweg/query/cost_field.h"
#include "talweg/query/one_to_many.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/workers/field_segment.h"

namespace talweg::workers {

struct PoolOptions {
  int workers = 0;               // >= 1
  std::string worker_binary;     // path of talweg-worker
  uint64_t queue_length = 10000; // tasks that may wait
  absl::Duration cancel_grace = absl::Milliseconds(500);  // then SIGKILL
  absl::Duration start_timeout = absl::Seconds(10);       // for the handshake
  absl::Duration backoff_min = absl::Milliseconds(10);    // respawn, doubling
  absl::Duration backoff_max = absl::Seconds(5);
};

// A batch of searches, answered item by item in order.
struct PathsWork {
  std::vector<OneToManyRequest> items;
};

struct FieldWork {
  SearchRequest request;
  bool include_back_links = false;
  bool include_allocation = false;
};

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
  std::variant<PathsWork, FieldWork> work;
  MonotonicTime deadline = MonotonicTime::max();
  // Called from a thread of the pool; must not block.
  std::function<void(uint64_t settled_cells, double frontier_cost)> on_progress;
  // Called exactly once, from a thread of the pool or of the caller.
  std::function<void(absl::StatusOr<TaskAnswer>)> on_done;
};

struct PoolStatus {
  uint32_t workers = 0;
  uint32_t usable_workers = 0;  // alive and past their handshake
  uint64_t queued_tasks = 0;
  uint64_t running_tasks = 0;
  uint64_t crashes = 0;         // worker ends that were nobody's wish
  uint64_t retried_tasks = 0;
  uint64_t settled_cells = 0;   // reported by all searches since start
  std::vector<int> worker_pids; // for tests; never put into a message
};

// Thread-safe.
class WorkerPool {
 public:
  using TaskId = uint64_t;

  // Starts the workers and waits for their handshakes. NO_WORKERS when none
  // becomes usable (binary missing, of another version, crash loop).
  static absl::StatusOr<std::unique_ptr<WorkerPool>> Start(const PoolOptions& options);

  // Shutdown(0).
  ~WorkerPool();

  // QUEUE_FULL (all or none of the tasks are taken), SHUTTING_DOWN.
  absl::StatusOr<std::vector<TaskId>> Submit(std::vector<Task> tasks);

  // Ends a waiting task at once and asks a running one to stop (SIGKILL after
  // the grace); on_done gets CANCELLED. Unknown ids are ignored.
  void Cancel(TaskId id);

  PoolStatus status() const;

  // Takes no more tasks, lets the taken ones finish within `drain`, cancels
  // the rest, ends the workers. Idempotent.
  void Shutdown(absl::Duration drain);

 private:
  class Impl;
  explicit WorkerPool(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WORKER_POOL_H_
