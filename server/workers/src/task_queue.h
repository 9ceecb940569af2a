// The pool's one queue: first in, first out, bounded.
#ifndef TALWEG_WORKERS_TASK_QUEUE_H_
#define TALWEG_WORKERS_TASK_QUEUE_H_

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "task_record.h"
#include "waker.h"

namespace talweg::workers {

// Thread-safe; no call waits but the two that say so, and no callback runs
// under its lock. A slot is known by its waker.
class TaskQueue {
 public:
  explicit TaskQueue(uint64_t max_waiting) : max_waiting_(max_waiting) {}

  // Gives ids and wakes idle slots. All or none: QUEUE_FULL, SHUTTING_DOWN, or
  // the status given to Refuse.
  absl::StatusOr<std::vector<WorkerPool::TaskId>> Submit(std::vector<Task> tasks);

  // The next task, now running in this slot; or nothing, and the slot is
  // remembered as idle until it is woken, or calls Take or Leave.
  TaskPtr Take(const Waker& slot);

  // The slot's worker is gone: what the slot was woken for, another may take.
  void Leave(const Waker& slot);

  // A running task is over; its on_done has been called.
  void Finish(const TaskPtr& task);

  enum class Again : bool { kRefused = false, kTaken = true };
  // Puts a running task to the front again, unless it was told to stop.
  Again PutBack(const TaskPtr& task);

  // The task when it was waiting: the caller reports its end. A running one is
  // marked and its slot woken.
  TaskPtr Cancel(WorkerPool::TaskId id);

  // Refuses new tasks with `why` and gives back the waiting ones; OK accepts
  // tasks again.
  std::vector<TaskPtr> Refuse(const absl::Status& why);

  // Takes no more tasks from now on.
  void Close();
  // Close, give back the waiting tasks, and stop the running ones.
  std::vector<TaskPtr> StopAll();

  // Waits until nothing waits or runs; false at the deadline.
  bool WaitUntilEmpty(MonotonicTime deadline);

  // Waits until waiting tasks are past their deadline, and gives them back;
  // empty when woken by WakeExpiryWaiter.
  std::vector<TaskPtr> WaitForExpired();
  void EndExpiryWait();

  struct Counts {
    uint64_t waiting = 0;
    uint64_t running = 0;
  };
  Counts counts() const;

 private:
  struct Entry {
    TaskPtr task;
    const Waker* slot = nullptr;            // where it runs; null while it waits
    std::list<TaskPtr>::iterator position;  // while it waits
  };
  using Entries = std::unordered_map<WorkerPool::TaskId, Entry>;

  void AddWaiting(const TaskPtr& task, std::list<TaskPtr>::iterator before);
  TaskPtr RemoveWaiting(Entries::iterator entry);
  std::vector<TaskPtr> RemoveAllWaiting();
  void WakeIdle(size_t count);
  void NoteIfEmpty();

  const uint64_t max_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::condition_variable deadlines_changed_;
  std::list<TaskPtr> waiting_;
  Entries entries_;                                                   // waiting and running
  std::set<std::pair<MonotonicTime, WorkerPool::TaskId>> deadlines_;  // of waiting tasks
  std::set<const Waker*> idle_;
  absl::Status refusal_;
  bool closed_ = false;
  bool stopped_ = false;
  bool expiry_wait_ended_ = false;
  WorkerPool::TaskId next_id_ = 1;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TASK_QUEUE_H_
