// The thread of a worker that searches, so that the main thread can listen.
#ifndef TALWEG_WORKERS_ENGINE_THREAD_H_
#define TALWEG_WORKERS_ENGINE_THREAD_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/statusor.h"
#include "task_runner.h"
#include "waker.h"

namespace talweg::workers {

// One task at a time. All members are called by the main thread.
class EngineThread {
 public:
  // SYSTEM_CALL.
  static absl::StatusOr<std::unique_ptr<EngineThread>> Start(
      std::unique_ptr<SearchWorkspace> workspace);

  // Precondition: idle.
  void Run(std::shared_ptr<RunningTask> task);

  // The reply, once; nothing while the task runs. Idle again afterwards.
  std::optional<TaskReply> TakeReply();

  // Readable when TakeReply has something.
  int poll_descriptor() const { return done_.descriptor(); }

 private:
  EngineThread(std::unique_ptr<SearchWorkspace> workspace, Waker done);
  void Loop();

  const std::unique_ptr<SearchWorkspace> workspace_;
  const Waker done_;
  std::mutex mutex_;
  std::condition_variable has_task_;
  std::shared_ptr<RunningTask> task_;
  std::optional<TaskReply> reply_;
  // Never joined: a worker ends by _exit, in mid-search if need be.
  std::thread thread_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_ENGINE_THREAD_H_
