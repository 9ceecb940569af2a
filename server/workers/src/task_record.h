// A task in the pool, from Submit to its on_done.
#ifndef TALWEG_WORKERS_TASK_RECORD_H_
#define TALWEG_WORKERS_TASK_RECORD_H_

#include <atomic>
#include <memory>

#include "talweg/workers/worker_pool.h"

namespace talweg::workers {

enum class StopWish : uint8_t { kNone, kCancelled, kShuttingDown };

// Owned by the queue while it waits, by one slot while it runs. on_done is
// called by whoever takes it out for good, so exactly once.
struct TaskRecord {
  WorkerPool::TaskId id = 0;
  Task task;
  int crashes = 0;             // workers that ended by this task's doing, as it seems
  int innocent_ends = 0;       // workers that were taken from under it
  uint64_t settled_cells = 0;  // as its present worker reported last
  std::atomic<StopWish> stop = StopWish::kNone;
};

using TaskPtr = std::shared_ptr<TaskRecord>;

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TASK_RECORD_H_
