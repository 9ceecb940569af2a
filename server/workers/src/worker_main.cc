#include "talweg/workers/worker_main.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "engine_thread.h"
#include "poll_wait.h"
#include "surface_cache.h"
#include "talweg/base/errors.h"
#include "talweg/base/version.h"
#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/initialisers.h"
#include "talweg/workers/task_codec.h"
#include "talweg/workers/transport.h"

namespace talweg::workers {
namespace {

constexpr std::chrono::milliseconds kProgressPeriod(50);
// Longer time-outs (146 years) are none.
constexpr uint64_t kLongestTimeoutNs = uint64_t{1} << 62;

// _exit, not exit: the engine thread may be in mid-search, and there is
// nothing to flush or to undo.
[[noreturn]] void End(int exit_code, std::string_view why) {
  if (exit_code != kWorkerExitServerGone) {
    std::fprintf(stderr, "talweg-worker: %.*s\n", static_cast<int>(why.size()), why.data());
  }
  _exit(exit_code);
}

class WorkerLoop {
 public:
  WorkerLoop(std::unique_ptr<Transport> transport, std::unique_ptr<EngineThread> engine)
      : transport_(std::move(transport)), engine_(std::move(engine)) {}

  void SayHello() {
    worker::v1::FromWorker message;
    message.mutable_hello()->set_version(std::string(Version()));
    for (const Initialiser& initialiser : WorkerInitialisers()) {
      message.mutable_hello()->add_initialisers(std::string(initialiser.name));
    }
    Send(message, {});
  }

  [[noreturn]] void Run() {
    auto next_progress = MonotonicTime::max();
    while (true) {
      std::array<pollfd, 2> waits = {
          pollfd{.fd = transport_->poll_descriptor(), .events = POLLIN, .revents = 0},
          pollfd{.fd = engine_->poll_descriptor(), .events = POLLIN, .revents = 0}};
      PollUntil(waits, next_progress);
      if (waits[1].revents != 0) SendReply();
      if (waits[0].revents != 0) ReadMessages();
      if (running_ == nullptr) {
        next_progress = MonotonicTime::max();
      } else if (const auto now = std::chrono::steady_clock::now();
                 next_progress == MonotonicTime::max()) {
        next_progress = now + kProgressPeriod;
      } else if (now >= next_progress) {
        SendProgress();
        next_progress = now + kProgressPeriod;
      }
    }
  }

 private:
  void Send(const worker::v1::FromWorker& message, const store::FileDescriptor& attachment) {
    if (!transport_->Send(message, attachment, MonotonicTime::max()).ok()) {
      End(kWorkerExitServerGone, "");
    }
  }

  void SendError(uint64_t task_id, const absl::Status& status) {
    worker::v1::FromWorker message;
    message.mutable_reply()->set_task_id(task_id);
    *message.mutable_reply()->mutable_error() = StatusToProto(status);
    Send(message, {});
  }

  void SendReply() {
    std::optional<TaskReply> reply = engine_->TakeReply();
    if (!reply) return;
    running_.reset();
    worker::v1::FromWorker message;
    *message.mutable_reply() = std::move(reply->reply);
    Send(message, reply->attachment);
  }

  void SendProgress() {
    const Progress& progress = running_->control.progress();
    worker::v1::FromWorker message;
    message.mutable_progress()->set_task_id(running_->dispatch.task_id());
    message.mutable_progress()->set_settled_cells(progress.settled_cells);
    message.mutable_progress()->set_frontier_cost(progress.frontier_cost);
    message.mutable_progress()->set_item(running_->item);
    Send(message, {});
  }

  void ReadMessages() {
    while (true) {
      absl::StatusOr<std::optional<ReceivedMessage>> received = transport_->Receive();
      if (!received.ok()) {
        // The stream has no next message that could be found.
        if (transport_->at_end()) End(kWorkerExitServerGone, "");
        End(kWorkerExitChannelBroken, std::string(received.status().message()));
      }
      if (!received->has_value()) break;
      HandleGuarded(**received);
    }
    if (transport_->at_end()) End(kWorkerExitServerGone, "");
  }

  void HandleGuarded(ReceivedMessage& received) {
    try {
      Handle(received);
    } catch (const std::bad_alloc&) {
      SendError(0, OutOfMemory("a task"));
    }
  }

  void Handle(ReceivedMessage& received) {
    worker::v1::ToWorker message;
    if (!message.ParseFromString(received.bytes)) {
      return SendError(0, TaskUndecodable("its bytes are no message of this protocol"));
    }
    received.bytes = std::string();
    switch (message.message_case()) {
      case worker::v1::ToWorker::kDispatch:
        return StartTask(std::move(*message.mutable_dispatch()), received);
      case worker::v1::ToWorker::kCancel:
        if (running_ != nullptr && running_->dispatch.task_id() == message.cancel().task_id()) {
          running_->control.Cancel();
        }
        return;
      case worker::v1::ToWorker::kDropSegment:
        return surfaces_.Drop(message.drop_segment().segment_key());
      case worker::v1::ToWorker::MESSAGE_NOT_SET:
        break;
    }
    SendError(0, TaskUndecodable("its kind is unknown"));
  }

  void StartTask(worker::v1::Dispatch dispatch, ReceivedMessage& received) {
    const uint64_t task_id = dispatch.task_id();
    if (running_ != nullptr) {
      return SendError(task_id, ProtocolError("a task was sent while another one runs"));
    }
    auto surface = surfaces_.Get(dispatch.segment_key(), received);
    if (!surface.ok()) return SendError(task_id, surface.status());
    const MonotonicTime deadline = Deadline(dispatch.timeout_ns());
    running_ = std::make_shared<RunningTask>(std::move(dispatch), *std::move(surface), deadline);
    engine_->Run(running_);
  }

  // Time-outs count from receipt: the clocks of two machines need not agree.
  static MonotonicTime Deadline(uint64_t timeout_ns) {
    if (timeout_ns == 0 || timeout_ns > kLongestTimeoutNs) return MonotonicTime::max();
    const auto now = std::chrono::steady_clock::now();
    const auto timeout = std::chrono::nanoseconds(timeout_ns);
    if (timeout > MonotonicTime::max() - now) return MonotonicTime::max();
    return now + timeout;
  }

  const std::unique_ptr<Transport> transport_;
  const std::unique_ptr<EngineThread> engine_;
  SurfaceCache surfaces_;
  std::shared_ptr<RunningTask> running_;
};

absl::StatusOr<std::unique_ptr<EngineThread>> StartUp() {
  WorkerContext context;
  for (const Initialiser& initialiser : WorkerInitialisers()) {
    if (const absl::Status status = initialiser.run(context); !status.ok()) {
      return PrependContext(status, initialiser.name);
    }
  }
  return EngineThread::Start(std::move(context.workspace));
}

}  // namespace

void RunWorker(store::FileDescriptor channel) {
  absl::StatusOr<std::unique_ptr<EngineThread>> engine = StartUp();
  if (!engine.ok()) End(kWorkerExitStartFailed, std::string(engine.status().message()));
  WorkerLoop loop(MakeUnixSocketTransport(std::move(channel)), *std::move(engine));
  loop.SayHello();
  loop.Run();
}

}  // namespace talweg::workers
