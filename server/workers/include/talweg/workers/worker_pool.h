// The pool of worker processes and its bounded queue.
#ifndef TALWEG_WORKERS_WORKER_POOL_H_
#define TALWEG_WORKERS_WORKER_POOL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/workers/task.h"

namespace talweg::workers {

struct PoolOptions {
  int workers = 0;                                        // >= 1
  std::string worker_binary;                              // path of talweg-worker
  uint64_t queue_length = 10000;                          // tasks that may wait
  absl::Duration cancel_grace = absl::Milliseconds(500);  // then SIGKILL
  absl::Duration start_timeout = absl::Seconds(10);       // for the handshake
  absl::Duration backoff_min = absl::Milliseconds(10);    // respawn, doubling
  absl::Duration backoff_max = absl::Seconds(5);
  // How long a task that crashed two workers is refused at once.
  absl::Duration quarantine = absl::Seconds(60);
};

struct PoolStatus {
  uint32_t workers = 0;
  uint32_t usable_workers = 0;  // alive and past their handshake
  uint64_t queued_tasks = 0;
  uint64_t running_tasks = 0;
  uint64_t crashes = 0;  // worker ends that were nobody's wish
  uint64_t retried_tasks = 0;
  uint64_t settled_cells = 0;    // reported by all searches since start
  std::vector<int> worker_pids;  // for tests; never put into a message
};

// Thread-safe.
//
// A task whose worker crashed runs once more, on another worker, then fails
// with WORKER_CRASHED and is refused at once for a while. A task whose worker
// was killed from outside is innocent: it runs again until its deadline. A
// worker that does not stop within the grace after a cancel or a deadline is
// killed.
class WorkerPool {
 public:
  using TaskId = uint64_t;

  // Starts the workers and waits for their handshakes. NO_WORKERS when none
  // becomes usable (binary missing, of another version, crash loop);
  // INVALID_VALUE, SYSTEM_CALL.
  static absl::StatusOr<std::unique_ptr<WorkerPool>> Start(const PoolOptions& options);

  // Shutdown(0).
  ~WorkerPool();

  // QUEUE_FULL (all or none of the tasks are taken), SHUTTING_DOWN, NO_WORKERS
  // while no worker can be started.
  absl::StatusOr<std::vector<TaskId>> Submit(std::vector<Task> tasks);

  // Ends a waiting task at once and asks a running one to stop (SIGKILL after
  // the grace); on_done gets CANCELLED. Unknown ids are ignored.
  void Cancel(TaskId id);

  PoolStatus status() const;

  // Takes no more tasks, lets the taken ones finish within `drain`, ends the
  // rest (on_done gets SHUTTING_DOWN), ends the workers. Idempotent.
  void Shutdown(absl::Duration drain);

 private:
  class Impl;
  explicit WorkerPool(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WORKER_POOL_H_
