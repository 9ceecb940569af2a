// The tasks of one call: handed to the pool a window at a time, answered on
// the thread of the handler, cancelled together.
#ifndef TALWEG_SERVICE_TASK_GROUP_H_
#define TALWEG_SERVICE_TASK_GROUP_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/service/call_context.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::service {

// Only a window of tasks is with the pool or unread at a time: answers do not
// pile up behind a slow client, and a call of many tasks leaves room in the
// queue for other calls.
class TaskGroup {
 public:
  struct Finished {
    size_t number;  // of the task
    workers::TaskAnswer answer;
  };
  struct Work {
    uint64_t settled_cells = 0;
    double frontier_cost = 0;  // of the search that reported last
  };

  // `make_task` builds task `number` of `count`; it may be asked more than
  // once for one. The group sets deadline and callbacks.
  TaskGroup(CallContext& call, size_t count, std::function<workers::Task(size_t number)> make_task);

  // Cancels what is under way.
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // Waits for the next finished task, in any order; nothing after `patience`.
  // Fails with the first failure of a task, or why the call must end, or
  // QUEUE_FULL when not even the first task found room. Precondition: !done().
  absl::StatusOr<std::optional<Finished>> Next(absl::Duration patience);

  bool done() const { return finished_ == count_; }
  Work work() const;

 private:
  struct State;
  absl::Status FillWindow();

  CallContext& call_;
  const size_t count_;
  const size_t window_;
  const std::function<workers::Task(size_t)> make_task_;
  const std::shared_ptr<State> state_;  // shared with callbacks, which may outlive the group
  std::map<size_t, workers::WorkerPool::TaskId> under_way_;
  size_t submitted_ = 0;
  size_t finished_ = 0;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_TASK_GROUP_H_
