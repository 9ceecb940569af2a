#include "engine_thread.h"

#include <utility>

#include "talweg/base/status_macros.h"

namespace talweg::workers {

absl::StatusOr<std::unique_ptr<EngineThread>> EngineThread::Start(
    std::unique_ptr<SearchWorkspace> workspace) {
  TALWEG_ASSIGN_OR_RETURN(Waker done, Waker::Make());
  return std::unique_ptr<EngineThread>(new EngineThread(std::move(workspace), std::move(done)));
}

EngineThread::EngineThread(std::unique_ptr<SearchWorkspace> workspace, Waker done)
    : workspace_(std::move(workspace)), done_(std::move(done)), thread_([this] { Loop(); }) {}

void EngineThread::Run(std::shared_ptr<RunningTask> task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
  }
  has_task_.notify_one();
}

std::optional<TaskReply> EngineThread::TakeReply() {
  done_.Clear();
  const std::lock_guard lock(mutex_);
  return std::exchange(reply_, std::nullopt);
}

void EngineThread::Loop() {
  while (true) {
    std::shared_ptr<RunningTask> task;
    {
      std::unique_lock lock(mutex_);
      has_task_.wait(lock, [this] { return task_ != nullptr; });
      task = std::exchange(task_, nullptr);
    }
    TaskReply reply = RunTask(*task, *workspace_);
    task.reset();  // nothing of a request outlives its answer
    {
      const std::lock_guard lock(mutex_);
      reply_ = std::move(reply);
    }
    done_.Wake();
  }
}

}  // namespace talweg::workers
