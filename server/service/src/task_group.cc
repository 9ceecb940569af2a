#include "task_group.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "talweg/base/errors.h"

namespace talweg::service {
namespace {

// One task runs and one waits per worker: enough to keep workers busy, and a
// small call that comes later waits for few of a big one's tasks.
size_t WindowSize(const workers::WorkerPool& pool) {
  return size_t{2} * std::max(1u, pool.status().workers);
}

}  // namespace

struct TaskGroup::State {
  std::mutex mutex;
  std::condition_variable changed;
  struct Done {
    size_t number;
    absl::StatusOr<workers::TaskAnswer> answer;
  };
  std::deque<Done> done;
  std::map<size_t, uint64_t> running_cells;  // of tasks under way, as last reported
  uint64_t finished_cells = 0;
  double frontier_cost = 0;
  bool call_ends = false;
  bool abandoned = false;  // nobody will read answers any more

  void OnProgress(size_t number, uint64_t settled_cells, double frontier) {
    const std::lock_guard lock(mutex);
    running_cells[number] = settled_cells;
    frontier_cost = frontier;
  }

  void OnDone(size_t number, absl::StatusOr<workers::TaskAnswer> answer) {
    const std::lock_guard lock(mutex);
    if (abandoned) return;
    running_cells.erase(number);
    if (answer.ok()) finished_cells += SettledCells(*answer);
    done.push_back({number, std::move(answer)});
    changed.notify_one();
  }

  void OnCallEnds() {
    const std::lock_guard lock(mutex);
    call_ends = true;
    changed.notify_one();
  }

  static uint64_t SettledCells(const workers::TaskAnswer& answer) {
    if (const auto* field = std::get_if<workers::FieldAnswer>(&answer)) {
      return field->summary.settled_cells;
    }
    uint64_t cells = 0;
    for (const OneToManyAnswer& item : std::get<workers::PathsAnswer>(answer).items) {
      cells += item.settled_cells;
    }
    return cells;
  }
};

TaskGroup::TaskGroup(CallContext& call, size_t count,
                     std::function<workers::Task(size_t number)> make_task)
    : call_(call),
      count_(count),
      window_(WindowSize(call.backend.pool)),
      make_task_(std::move(make_task)),
      state_(std::make_shared<State>()) {
  call_.cancel.SetListener([state = state_] { state->OnCallEnds(); });
}

TaskGroup::~TaskGroup() {
  call_.cancel.SetListener({});
  {
    const std::lock_guard lock(state_->mutex);
    state_->abandoned = true;
    state_->done.clear();
  }
  for (const auto& [number, id] : under_way_) call_.backend.pool.Cancel(id);
}

absl::Status TaskGroup::FillWindow() {
  while (submitted_ < count_ && under_way_.size() < window_) {
    workers::Task task = make_task_(submitted_);
    task.deadline = call_.deadline;
    task.on_progress = [state = state_, number = submitted_](uint64_t cells, double frontier) {
      state->OnProgress(number, cells, frontier);
    };
    task.on_done = [state = state_,
                    number = submitted_](absl::StatusOr<workers::TaskAnswer> answer) {
      state->OnDone(number, std::move(answer));
    };
    std::vector<workers::Task> tasks;
    tasks.push_back(std::move(task));
    const auto ids = call_.backend.pool.Submit(std::move(tasks));
    if (!ids.ok()) {
      // A call that is being answered waits for room; it is not turned away
      // half way.
      const bool full = GetErrorDetail(ids.status()).reason == "QUEUE_FULL";
      return full && submitted_ > 0 ? absl::OkStatus() : ids.status();
    }
    under_way_[submitted_++] = ids->front();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<TaskGroup::Finished>> TaskGroup::Next(absl::Duration patience) {
  if (absl::Status filled = FillWindow(); !filled.ok()) return filled;
  const MonotonicTime until = std::min(
      call_.deadline, std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(patience));
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_until(lock, until,
                             [&] { return !state_->done.empty() || state_->call_ends; });
  if (state_->call_ends || state_->done.empty()) {
    lock.unlock();
    if (std::chrono::steady_clock::now() >= call_.deadline) {
      return DeadlineExceeded(work().settled_cells);
    }
    if (absl::Status ended = call_.cancel.status(); !ended.ok()) return ended;
    return std::nullopt;
  }
  State::Done done = std::move(state_->done.front());
  state_->done.pop_front();
  lock.unlock();
  under_way_.erase(done.number);
  ++finished_;
  if (!done.answer.ok()) return done.answer.status();
  return Finished{done.number, *std::move(done.answer)};
}

TaskGroup::Work TaskGroup::work() const {
  const std::lock_guard lock(state_->mutex);
  Work work{.settled_cells = state_->finished_cells, .frontier_cost = state_->frontier_cost};
  for (const auto& [number, cells] : state_->running_cells) work.settled_cells += cells;
  return work;
}

}  // namespace talweg::service
