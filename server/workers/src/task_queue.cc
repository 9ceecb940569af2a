#include "task_queue.h"

#include <chrono>

#include "talweg/base/errors.h"

namespace talweg::workers {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(250);

}  // namespace

void TaskQueue::AddWaiting(const TaskPtr& task, std::list<TaskPtr>::iterator before) {
  const auto position = waiting_.insert(before, task);
  entries_[task->id] = {.task = task, .slot = nullptr, .position = position};
  if (task->task.deadline != MonotonicTime::max()) {
    deadlines_.emplace(task->task.deadline, task->id);
    if (deadlines_.begin()->second == task->id) deadlines_changed_.notify_all();
  }
}

TaskPtr TaskQueue::RemoveWaiting(Entries::iterator entry) {
  TaskPtr task = entry->second.task;
  waiting_.erase(entry->second.position);
  deadlines_.erase({task->task.deadline, task->id});
  entries_.erase(entry);
  NoteIfEmpty();
  return task;
}

std::vector<TaskPtr> TaskQueue::RemoveAllWaiting() {
  std::vector<TaskPtr> removed(waiting_.begin(), waiting_.end());
  for (const TaskPtr& task : removed) entries_.erase(task->id);
  waiting_.clear();
  deadlines_.clear();
  NoteIfEmpty();
  return removed;
}

void TaskQueue::WakeIdle(size_t count) {
  while (count-- > 0 && !idle_.empty()) {
    (*idle_.begin())->Wake();
    idle_.erase(idle_.begin());
  }
}

void TaskQueue::NoteIfEmpty() {
  if (entries_.empty()) empty_.notify_all();
}

absl::StatusOr<std::vector<WorkerPool::TaskId>> TaskQueue::Submit(std::vector<Task> tasks) {
  std::vector<WorkerPool::TaskId> ids;
  ids.reserve(tasks.size());
  const std::lock_guard lock(mutex_);
  if (closed_) return ShuttingDown();
  if (!refusal_.ok()) return refusal_;
  if (tasks.size() > max_waiting_ || waiting_.size() > max_waiting_ - tasks.size()) {
    return QueueFull(waiting_.size(), max_waiting_, kRetryDelay);
  }
  for (Task& task : tasks) {
    auto record = std::make_shared<TaskRecord>();
    record->id = next_id_++;
    record->task = std::move(task);
    AddWaiting(record, waiting_.end());
    ids.push_back(record->id);
  }
  WakeIdle(ids.size());
  return ids;
}

TaskPtr TaskQueue::Take(const Waker& slot) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) {
    idle_.insert(&slot);
    return nullptr;
  }
  idle_.erase(&slot);
  TaskPtr task = waiting_.front();
  waiting_.pop_front();
  deadlines_.erase({task->task.deadline, task->id});
  entries_[task->id].slot = &slot;
  return task;
}

void TaskQueue::Leave(const Waker& slot) {
  const std::lock_guard lock(mutex_);
  idle_.erase(&slot);
  if (!waiting_.empty()) WakeIdle(1);
}

void TaskQueue::Finish(const TaskPtr& task) {
  const std::lock_guard lock(mutex_);
  entries_.erase(task->id);
  NoteIfEmpty();
}

TaskQueue::Again TaskQueue::PutBack(const TaskPtr& task) {
  const std::lock_guard lock(mutex_);
  if (stopped_ || !refusal_.ok() || task->stop != StopWish::kNone) return Again::kRefused;
  AddWaiting(task, waiting_.begin());
  WakeIdle(1);
  return Again::kTaken;
}

TaskPtr TaskQueue::Cancel(WorkerPool::TaskId id) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return nullptr;
  if (entry->second.slot == nullptr) return RemoveWaiting(entry);
  StopWish none = StopWish::kNone;
  entry->second.task->stop.compare_exchange_strong(none, StopWish::kCancelled);
  entry->second.slot->Wake();
  return nullptr;
}

std::vector<TaskPtr> TaskQueue::Refuse(const absl::Status& why) {
  const std::lock_guard lock(mutex_);
  refusal_ = why;
  if (why.ok()) return {};
  return RemoveAllWaiting();
}

void TaskQueue::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

std::vector<TaskPtr> TaskQueue::StopAll() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  stopped_ = true;
  std::vector<TaskPtr> waiting = RemoveAllWaiting();
  for (auto& [id, entry] : entries_) {
    StopWish none = StopWish::kNone;
    entry.task->stop.compare_exchange_strong(none, StopWish::kShuttingDown);
    entry.slot->Wake();
  }
  return waiting;
}

bool TaskQueue::WaitUntilEmpty(MonotonicTime deadline) {
  std::unique_lock lock(mutex_);
  const auto is_empty = [this] { return entries_.empty(); };
  if (deadline == MonotonicTime::max()) {
    empty_.wait(lock, is_empty);
    return true;
  }
  return empty_.wait_until(lock, deadline, is_empty);
}

std::vector<TaskPtr> TaskQueue::WaitForExpired() {
  std::unique_lock lock(mutex_);
  std::vector<TaskPtr> expired;
  while (!expiry_wait_ended_ && expired.empty()) {
    if (deadlines_.empty()) {
      deadlines_changed_.wait(lock);
    } else {
      // A copy: the task may be taken, and its entry erased, during the wait.
      const MonotonicTime earliest = deadlines_.begin()->first;
      deadlines_changed_.wait_until(lock, earliest);
    }
    const auto now = std::chrono::steady_clock::now();
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      expired.push_back(RemoveWaiting(entries_.find(deadlines_.begin()->second)));
    }
  }
  return expired;
}

void TaskQueue::EndExpiryWait() {
  const std::lock_guard lock(mutex_);
  expiry_wait_ended_ = true;
  deadlines_changed_.notify_all();
}

TaskQueue::Counts TaskQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return {.waiting = waiting_.size(), .running = entries_.size() - waiting_.size()};
}

}  // namespace talweg::workers
