// One place of the pool: a thread that keeps a worker process alive and feeds
// it one task at a time.
#ifndef TALWEG_WORKERS_WORKER_SLOT_H_
#define TALWEG_WORKERS_WORKER_SLOT_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "oom_watch.h"
#include "pool_health.h"
#include "quarantine.h"
#include "surface_ledger.h"
#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/transport.h"
#include "talweg/workers/worker_pool.h"
#include "talweg/workers/worker_process.h"
#include "task_queue.h"
#include "waker.h"

namespace talweg::workers {

// What the slots of a pool share.
struct PoolShared {
  explicit PoolShared(const PoolOptions& pool_options)
      : options(pool_options),
        queue(pool_options.queue_length),
        quarantine(pool_options.quarantine),
        health(static_cast<size_t>(pool_options.workers)) {}

  const PoolOptions options;
  TaskQueue queue;
  Quarantine quarantine;
  OomWatch oom;
  PoolHealth health;
  std::atomic<bool> stopping = false;
  std::atomic<uint64_t> crashes = 0;
  std::atomic<uint64_t> retried_tasks = 0;
  std::atomic<uint64_t> settled_cells = 0;
};

// Ends a task: calls its on_done. StopWish and last progress decide what a
// stopped task gets.
void CompleteTask(TaskRecord& task, absl::StatusOr<TaskAnswer> answer);

class WorkerSlot {
 public:
  WorkerSlot(PoolShared& shared, size_t index, Waker waker);
  // Precondition: shared.stopping is set and the slot was woken.
  ~WorkerSlot();
  WorkerSlot(const WorkerSlot&) = delete;
  WorkerSlot& operator=(const WorkerSlot&) = delete;

  void Wake() const { waker_.Wake(); }

 private:
  struct Events {
    bool message = false;  // something to receive, or the end of file
    bool ended = false;    // the process has ended
  };
  // Why a worker is given up.
  enum class Loss : uint8_t {
    kDied,     // by itself, or by somebody else's signal
    kBroken,   // it sent what no worker of this version would
    kTooLate,  // it did not stop within the grace
  };
  struct WorkerEnd {
    std::string how;        // for messages: no path, no process number
    bool innocent = false;  // it was taken away, by us or by somebody outside
  };
  enum class Blame : uint8_t { kNone, kTask };
  using Answer = std::optional<absl::StatusOr<TaskAnswer>>;

  void Loop();
  void BackOff();

  // The worker's life. All of them return whether there is a worker after.
  bool StartWorker();
  absl::Status AwaitHello(MonotonicTime deadline);
  void Serve();
  bool WaitIdle();
  bool RunTask(const TaskPtr& task);
  bool WatchTask(const TaskPtr& task, MonotonicTime kill_at);
  bool FinishTask(const TaskPtr& task, absl::StatusOr<TaskAnswer> answer);
  void EndWorker();

  Events WaitForEvents(MonotonicTime deadline) const;

  // One task's steps.
  std::optional<absl::Status> EndBeforeDispatch(const TaskRecord& task);
  absl::Status SendDispatch(TaskRecord& task, MonotonicTime send_deadline);
  absl::Status SendToWorker(const worker::v1::ToWorker& message);
  // The answer when the worker has sent one by now; PROTOCOL_ERROR when it makes no sense.
  absl::StatusOr<Answer> ReadMessages(TaskRecord& task);
  absl::StatusOr<Answer> HandleMessage(TaskRecord& task, ReceivedMessage& received);
  static absl::StatusOr<Answer> DecodeReply(const TaskRecord& task, const worker::v1::Reply& reply,
                                            const ReceivedMessage& received);
  static absl::StatusOr<PathsAnswer> DecodePaths(const TaskRecord& task,
                                                 const worker::v1::Reply& reply,
                                                 const ReceivedMessage& received);
  static absl::StatusOr<FieldAnswer> DecodeField(const TaskRecord& task,
                                                 const worker::v1::Reply& reply,
                                                 const ReceivedMessage& received);
  void NoteProgress(TaskRecord& task, uint64_t settled_cells);
  void Complete(const TaskPtr& task, absl::StatusOr<TaskAnswer> answer);

  // Ends and reaps the worker.
  WorkerEnd LoseWorker(Loss loss);
  // What becomes of the task it had.
  void RetryOrFail(const TaskPtr& task, const WorkerEnd& end, Blame blame);

  void SendCancel(const TaskRecord& task);
  absl::Status DropSegment(const std::string& key);
  absl::Status DropRetired();

  PoolShared& shared_;
  const size_t index_;
  const Waker waker_;
  std::optional<WorkerProcess> process_;
  std::unique_ptr<Transport> transport_;
  SurfaceLedger ledger_;
  int failures_ = 0;    // in a row, without a task done; sets the back-off
  std::thread thread_;  // last: uses all of the above
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WORKER_SLOT_H_
