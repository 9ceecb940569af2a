#include "talweg/workers/worker_pool.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "task_queue.h"
#include "waker.h"
#include "worker_slot.h"

namespace talweg::workers {

class WorkerPool::Impl {
 public:
  explicit Impl(const PoolOptions& options)
      : shared_(options), expiry_thread_([this] { EndExpired(); }) {}
  ~Impl() { Shutdown(absl::ZeroDuration()); }

  absl::Status Start() {
    for (int i = 0; i < shared_.options.workers; ++i) {
      TALWEG_ASSIGN_OR_RETURN(Waker waker, Waker::Make());
      slots_.push_back(
          std::make_unique<WorkerSlot>(shared_, static_cast<size_t>(i), std::move(waker)));
    }
    shared_.health.WaitForStart();
    if (shared_.health.usable() > 0) return absl::OkStatus();
    return NoWorkers(shared_.health.last_failure(), shared_.options.backoff_max);
  }

  absl::StatusOr<std::vector<TaskId>> Submit(std::vector<Task> tasks) {
    return shared_.queue.Submit(std::move(tasks));
  }

  void Cancel(TaskId id) {
    if (const TaskPtr task = shared_.queue.Cancel(id)) {
      CompleteTask(*task, RequestCancelled(task->settled_cells));
    }
  }

  PoolStatus Status() const {
    const TaskQueue::Counts counts = shared_.queue.counts();
    PoolStatus status;
    status.workers = static_cast<uint32_t>(shared_.options.workers);
    status.usable_workers = static_cast<uint32_t>(shared_.health.usable());
    status.queued_tasks = counts.waiting;
    status.running_tasks = counts.running;
    status.crashes = shared_.crashes;
    status.retried_tasks = shared_.retried_tasks;
    status.settled_cells = shared_.settled_cells;
    status.worker_pids = shared_.health.pids();
    return status;
  }

  void Shutdown(absl::Duration drain) {
    const std::lock_guard lock(shutdown_mutex_);
    if (shared_.stopping) return;
    shared_.queue.Close();
    shared_.queue.WaitUntilEmpty(DrainDeadline(drain));
    for (const TaskPtr& task : shared_.queue.StopAll()) CompleteTask(*task, ShuttingDown());
    // Bounded: what does not stop is killed after the grace.
    shared_.queue.WaitUntilEmpty(MonotonicTime::max());
    shared_.stopping = true;
    for (const auto& slot : slots_) slot->Wake();
    slots_.clear();
    shared_.queue.EndExpiryWait();
    expiry_thread_.join();
  }

 private:
  static MonotonicTime DrainDeadline(absl::Duration drain) {
    if (drain == absl::InfiniteDuration()) return MonotonicTime::max();
    return std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(drain);
  }

  void EndExpired() {
    while (true) {
      const std::vector<TaskPtr> expired = shared_.queue.WaitForExpired();
      if (expired.empty()) return;
      for (const TaskPtr& task : expired) {
        CompleteTask(*task, DeadlineExceeded(task->settled_cells));
      }
    }
  }

  PoolShared shared_;
  std::mutex shutdown_mutex_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  std::thread expiry_thread_;
};

WorkerPool::WorkerPool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WorkerPool::~WorkerPool() = default;

absl::StatusOr<std::unique_ptr<WorkerPool>> WorkerPool::Start(const PoolOptions& options) {
  if (options.workers < 1) {
    return InvalidValue("workers", std::to_string(options.workers), "at least 1");
  }
  auto impl = std::make_unique<Impl>(options);
  TALWEG_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<WorkerPool>(new WorkerPool(std::move(impl)));
}

absl::StatusOr<std::vector<WorkerPool::TaskId>> WorkerPool::Submit(std::vector<Task> tasks) {
  return impl_->Submit(std::move(tasks));
}
void WorkerPool::Cancel(TaskId id) { impl_->Cancel(id); }
PoolStatus WorkerPool::status() const { return impl_->Status(); }
void WorkerPool::Shutdown(absl::Duration drain) { impl_->Shutdown(drain); }

}  // namespace talweg::workers
