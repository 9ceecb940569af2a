#include "worker_slot.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <limits>
#include <utility>
#include <variant>

#include "poll_wait.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/base/version.h"
#include "talweg/store/segment.h"
#include "talweg/workers/task_codec.h"

namespace talweg::workers {
namespace {

// A task runs at most this often when it takes its workers down.
constexpr int kMaxCrashes = 2;
// And so often when they are taken from it: somebody who kills workers for ever
// must not keep a task without a deadline for ever.
constexpr int kMaxInnocentEnds = 100;
// protobuf counts in int.
constexpr uint64_t kMaxResultBytes = std::numeric_limits<int>::max();
// How soon a retired surface is unmapped by an idle worker.
constexpr std::chrono::milliseconds kRetiredPeriod(200);
// How long a worker that closed its socket may take to end.
constexpr std::chrono::seconds kEndGrace(1);

MonotonicTime Now() { return std::chrono::steady_clock::now(); }

MonotonicTime After(absl::Duration duration) { return Now() + absl::ToChronoNanoseconds(duration); }

// deadline + grace without overflow.
MonotonicTime KillTime(MonotonicTime deadline, absl::Duration grace) {
  const auto extra = absl::ToChronoNanoseconds(grace);
  if (deadline > MonotonicTime::max() - extra) return MonotonicTime::max();
  return std::max(deadline, Now()) + extra;
}

// Nanoseconds from now, at least 1: 0 would mean no deadline.
uint64_t TimeoutNanoseconds(MonotonicTime deadline) {
  if (deadline == MonotonicTime::max()) return 0;
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Now()).count();
  return static_cast<uint64_t>(std::max<int64_t>(left, 1));
}

}  // namespace

void CompleteTask(TaskRecord& task, absl::StatusOr<TaskAnswer> answer) {
  switch (task.stop.load()) {
    case StopWish::kNone:
      break;
    case StopWish::kCancelled:
      answer = RequestCancelled(task.settled_cells);
      break;
    case StopWish::kShuttingDown:
      answer = ShuttingDown();
      break;
  }
  const auto on_done = std::move(task.task.on_done);
  if (on_done) on_done(std::move(answer));
}

WorkerSlot::WorkerSlot(PoolShared& shared, size_t index, Waker waker)
    : shared_(shared), index_(index), waker_(std::move(waker)), thread_([this] { Loop(); }) {}

WorkerSlot::~WorkerSlot() { thread_.join(); }

void WorkerSlot::Loop() {
  while (!shared_.stopping) {
    BackOff();
    if (shared_.stopping || !StartWorker()) continue;
    Serve();
  }
  EndWorker();
}

void WorkerSlot::BackOff() {
  if (failures_ == 0) return;
  absl::Duration delay = shared_.options.backoff_min;
  for (int i = 1; i < failures_ && delay < shared_.options.backoff_max; ++i) delay *= 2;
  const MonotonicTime until = After(std::min(delay, shared_.options.backoff_max));
  while (!shared_.stopping && Now() < until) {
    pollfd wait = {.fd = waker_.descriptor(), .events = POLLIN, .revents = 0};
    PollUntil({&wait, 1}, until);
    waker_.Clear();
  }
}

WorkerSlot::Events WorkerSlot::WaitForEvents(MonotonicTime deadline) const {
  std::array<pollfd, 3> waits = {
      pollfd{.fd = transport_->poll_descriptor(), .events = POLLIN, .revents = 0},
      pollfd{.fd = process_->pidfd(), .events = POLLIN, .revents = 0},
      pollfd{.fd = waker_.descriptor(), .events = POLLIN, .revents = 0}};
  PollUntil(waits, deadline);
  if (waits[2].revents != 0) waker_.Clear();
  return {.message = waits[0].revents != 0, .ended = waits[1].revents != 0};
}

bool WorkerSlot::StartWorker() {
  absl::Status started = [this]() -> absl::Status {
    TALWEG_ASSIGN_OR_RETURN(WorkerProcess::Started worker,
                            WorkerProcess::Start(shared_.options.worker_binary));
    process_.emplace(std::move(worker.process));
    transport_ = MakeUnixSocketTransport(std::move(worker.channel));
    return AwaitHello(After(shared_.options.start_timeout));
  }();
  if (started.ok()) {
    shared_.health.ReportUsable(index_, process_->pid());
    shared_.queue.Refuse(absl::OkStatus());
    return true;
  }
  process_.reset();  // kills and reaps
  transport_.reset();
  if (shared_.stopping) return false;
  ++failures_;
  const std::string why(started.message());
  if (shared_.health.ReportFailedStart(index_, why)) {
    const absl::Duration delay = shared_.options.backoff_max;
    for (const TaskPtr& task : shared_.queue.Refuse(NoWorkers(why, delay))) {
      CompleteTask(*task, NoWorkers(why, delay));
    }
  }
  return false;
}

absl::Status WorkerSlot::AwaitHello(MonotonicTime deadline) {
  while (!shared_.stopping) {
    const Events events = WaitForEvents(deadline);
    TALWEG_ASSIGN_OR_RETURN(const std::optional<ReceivedMessage> received, transport_->Receive());
    if (received) {
      worker::v1::FromWorker message;
      if (!message.ParseFromString(received->bytes) || !message.has_hello()) {
        return ProtocolError("a worker's first message is no Hello");
      }
      if (message.hello().version() != Version()) {
        return ProtocolError("the worker program is of another version");
      }
      return absl::OkStatus();
    }
    if (events.ended) return ProtocolError("a worker ended before its handshake");
    if (transport_->at_end()) return ProtocolError("a worker closed its socket at once");
    if (Now() >= deadline) return ProtocolError("a worker sent no Hello in time");
  }
  return ShuttingDown();
}

void WorkerSlot::Serve() {
  bool alive = true;
  while (alive) {
    const TaskPtr task = shared_.queue.Take(waker_);
    if (task != nullptr) {
      alive = RunTask(task);
    } else if (shared_.stopping) {
      break;
    } else {
      alive = WaitIdle();
    }
  }
  shared_.queue.Leave(waker_);
}

bool WorkerSlot::WaitIdle() {
  const MonotonicTime deadline = ledger_.empty() ? MonotonicTime::max() : Now() + kRetiredPeriod;
  const Events events = WaitForEvents(deadline);
  Loss loss = Loss::kDied;
  bool lost = events.ended;
  if (events.message) {
    const auto received = transport_->Receive();
    if (!received.ok() || received->has_value()) {
      loss = Loss::kBroken;  // nothing was asked
      lost = true;
    } else if (transport_->at_end()) {
      lost = true;
    }
  }
  if (!lost) {
    if (DropRetired().ok()) return true;
  }
  LoseWorker(events.ended ? Loss::kDied : loss);
  return false;
}

void WorkerSlot::EndWorker() {
  if (!process_) return;
  transport_.reset();  // the worker ends at the end of file
  pollfd wait = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
  PollUntil({&wait, 1}, Now() + kEndGrace);
  process_.reset();
  shared_.health.ReportDown(index_);
}

std::optional<absl::Status> WorkerSlot::EndBeforeDispatch(const TaskRecord& task) {
  if (task.stop != StopWish::kNone) return RequestCancelled(0);  // worded by CompleteTask
  if (task.task.deadline <= Now()) return DeadlineExceeded(task.settled_cells);
  if (const auto how = shared_.quarantine.Find(task.task)) {
    return WorkerCrashed(*how + "; for now it is not run again", kMaxCrashes);
  }
  return std::nullopt;
}

absl::Status WorkerSlot::SendToWorker(const worker::v1::ToWorker& message) {
  return transport_->Send(message, {}, After(shared_.options.cancel_grace));
}

absl::Status WorkerSlot::DropSegment(const std::string& key) {
  worker::v1::ToWorker message;
  message.mutable_drop_segment()->set_segment_key(key);
  return SendToWorker(message);
}

absl::Status WorkerSlot::DropRetired() {
  for (const std::string& key : ledger_.TakeRetired()) {
    TALWEG_RETURN_IF_ERROR(DropSegment(key));
  }
  return absl::OkStatus();
}

absl::Status WorkerSlot::SendDispatch(TaskRecord& task, MonotonicTime send_deadline) {
  const auto& surface = task.task.surface;
  const std::string key = SurfaceLedger::KeyOf(*surface);
  const bool attach = !ledger_.Holds(key);
  worker::v1::ToWorker message;
  worker::v1::Dispatch& dispatch = *message.mutable_dispatch();
  dispatch.set_task_id(task.id);
  dispatch.set_segment_key(key);
  dispatch.set_segment_attached(attach);
  dispatch.set_timeout_ns(TimeoutNanoseconds(task.task.deadline));
  *dispatch.mutable_recipe() = RecipeToProto(task.task.recipe);
  WorkToProto(task.task.work, dispatch);
  if (message.ByteSizeLong() > kMaxMessageBytes) {
    return LimitExceeded("task bytes", std::to_string(message.ByteSizeLong()),
                         std::to_string(kMaxMessageBytes));
  }
  TALWEG_RETURN_IF_ERROR(DropRetired());
  if (const std::string leaves = ledger_.Use(key, surface); !leaves.empty()) {
    TALWEG_RETURN_IF_ERROR(DropSegment(leaves));
  }
  const store::FileDescriptor no_attachment;
  return transport_->Send(message, attach ? surface->segment() : no_attachment, send_deadline);
}

void WorkerSlot::NoteProgress(TaskRecord& task, uint64_t settled_cells) {
  if (settled_cells <= task.settled_cells) return;
  shared_.settled_cells += settled_cells - task.settled_cells;
  task.settled_cells = settled_cells;
}

absl::StatusOr<PathsAnswer> WorkerSlot::DecodePaths(const TaskRecord& task,
                                                    const worker::v1::Reply& reply,
                                                    const ReceivedMessage& received) {
  const Shape& shape = task.task.surface->description().shape;
  const auto& asked = std::get<PathsWork>(task.task.work);
  if (reply.has_paths()) return PathsAnswerFromProto(reply.paths(), asked, shape);
  if (reply.result_case() != worker::v1::Reply::kPathsInMemfdBytes) {
    return ProtocolError("a reply answers another question");
  }
  TALWEG_ASSIGN_OR_RETURN(const store::SegmentMapping mapping,
                          store::MapSealedSegment(received.descriptor));
  worker::v1::PathsResult result;
  if (mapping.size_bytes() != reply.paths_in_memfd_bytes() ||
      mapping.size_bytes() > kMaxResultBytes ||
      !result.ParseFromArray(mapping.data(), static_cast<int>(mapping.size_bytes()))) {
    return ProtocolError("a large result could not be decoded");
  }
  return PathsAnswerFromProto(result, asked, shape);
}

absl::StatusOr<FieldAnswer> WorkerSlot::DecodeField(const TaskRecord& task,
                                                    const worker::v1::Reply& reply,
                                                    const ReceivedMessage& received) {
  if (!reply.has_field()) return ProtocolError("a reply answers another question");
  const auto& asked = std::get<FieldWork>(task.task.work);
  const FieldLayout layout = LayoutOf(asked, task.task.surface->description().shape);
  FieldAnswer answer;
  TALWEG_ASSIGN_OR_RETURN(answer.summary, FieldSummaryFromProto(reply.field(), asked, layout));
  TALWEG_ASSIGN_OR_RETURN(answer.field, FieldSegment::Receive(received.descriptor, layout));
  return answer;
}

absl::StatusOr<WorkerSlot::Answer> WorkerSlot::DecodeReply(const TaskRecord& task,
                                                           const worker::v1::Reply& reply,
                                                           const ReceivedMessage& received) {
  using Result = absl::StatusOr<TaskAnswer>;
  if (reply.has_error()) return Answer(Result(StatusFromProto(reply.error())));
  if (received.attachment == Attachment::kLost) {
    // This process is short of descriptors; the worker did nothing wrong.
    return Answer(Result(SystemCallFailed("receiving a result", EMFILE)));
  }
  if (std::holds_alternative<PathsWork>(task.task.work)) {
    TALWEG_ASSIGN_OR_RETURN(PathsAnswer paths, DecodePaths(task, reply, received));
    return Answer(Result(std::move(paths)));
  }
  TALWEG_ASSIGN_OR_RETURN(FieldAnswer field, DecodeField(task, reply, received));
  return Answer(Result(std::move(field)));
}

absl::StatusOr<WorkerSlot::Answer> WorkerSlot::HandleMessage(TaskRecord& task,
                                                             ReceivedMessage& received) {
  worker::v1::FromWorker message;
  if (!message.ParseFromString(received.bytes)) return ProtocolError("a message is garbage");
  if (message.has_progress()) {
    const worker::v1::WorkerProgress& progress = message.progress();
    if (progress.task_id() != task.id) return ProtocolError("progress of another task");
    NoteProgress(task, progress.settled_cells());
    if (task.task.on_progress && task.stop == StopWish::kNone) {
      task.task.on_progress(progress.settled_cells(), progress.frontier_cost());
    }
    return Answer();
  }
  if (!message.has_reply()) return ProtocolError("a message is out of turn");
  const worker::v1::Reply& reply = message.reply();
  // 0: the worker could not decode what it was sent, which was this task.
  if (reply.task_id() != task.id && !(reply.task_id() == 0 && reply.has_error())) {
    return ProtocolError("a reply to another task");
  }
  NoteProgress(task, reply.settled_cells());
  return DecodeReply(task, reply, received);
}

absl::StatusOr<WorkerSlot::Answer> WorkerSlot::ReadMessages(TaskRecord& task) {
  while (true) {
    TALWEG_ASSIGN_OR_RETURN(std::optional<ReceivedMessage> received, transport_->Receive());
    if (!received) return Answer();
    TALWEG_ASSIGN_OR_RETURN(Answer answer, HandleMessage(task, *received));
    if (answer) return answer;
  }
}

bool WorkerSlot::RunTask(const TaskPtr& task) {
  if (auto end = EndBeforeDispatch(*task)) {
    Complete(task, *std::move(end));
    return true;
  }
  task->settled_cells = 0;
  shared_.oom.NoteQuiet();
  const PoolOptions& options = shared_.options;
  const MonotonicTime kill_at = KillTime(task->task.deadline, options.cancel_grace);
  absl::Status sent = SendDispatch(*task, std::min(kill_at, After(options.start_timeout)));
  if (GetErrorDetail(sent).reason == "LIMIT_EXCEEDED") {
    Complete(task, std::move(sent));  // nothing was sent
    return true;
  }
  if (!sent.ok()) {
    // The worker died idle, or does not read: the task never reached it.
    RetryOrFail(task, LoseWorker(Loss::kDied), Blame::kNone);
    return false;
  }
  return WatchTask(task, kill_at);
}

bool WorkerSlot::WatchTask(const TaskPtr& task, MonotonicTime kill_at) {
  bool cancel_sent = false;
  while (true) {
    if (task->stop != StopWish::kNone && !cancel_sent) {
      SendCancel(*task);
      cancel_sent = true;
      kill_at = std::min(kill_at, After(shared_.options.cancel_grace));
    }
    const Events events = WaitForEvents(kill_at);
    if (events.message || events.ended) {
      // Also after its end: an answer that was sent is an answer.
      absl::StatusOr<Answer> answer = ReadMessages(*task);
      if (answer.ok() && answer->has_value()) return FinishTask(task, *std::move(*answer));
      if (!answer.ok() || events.ended || transport_->at_end()) {
        // Half a message before the end is how a crash looks, not a lie.
        const bool died = answer.ok() || transport_->at_end();
        const WorkerEnd end = LoseWorker(died ? Loss::kDied : Loss::kBroken);
        RetryOrFail(task, end, end.innocent ? Blame::kNone : Blame::kTask);
        return false;
      }
    }
    if (Now() >= kill_at) {
      LoseWorker(Loss::kTooLate);
      Complete(task, DeadlineExceeded(task->settled_cells));
      return false;
    }
  }
}

void WorkerSlot::SendCancel(const TaskRecord& task) {
  worker::v1::ToWorker message;
  message.mutable_cancel()->set_task_id(task.id);
  // A failure shows as the worker's end, or as its silence after the grace.
  (void)SendToWorker(message);
}

bool WorkerSlot::FinishTask(const TaskPtr& task, absl::StatusOr<TaskAnswer> answer) {
  failures_ = 0;
  // Its surface may be what the task failed by: send it again next time.
  if (!answer.ok()) {
    const std::string key = SurfaceLedger::KeyOf(*task->task.surface);
    ledger_.Forget(key);
    (void)DropSegment(key);  // a dead worker shows in the next wait
  }
  Complete(task, std::move(answer));
  // More than was asked would be taken for the answer to the next task.
  const auto more = transport_->Receive();
  if (more.ok() && !more->has_value()) return true;
  LoseWorker(transport_->at_end() ? Loss::kDied : Loss::kBroken);
  return false;
}

void WorkerSlot::Complete(const TaskPtr& task, absl::StatusOr<TaskAnswer> answer) {
  CompleteTask(*task, std::move(answer));
  shared_.queue.Finish(task);
}

WorkerSlot::WorkerEnd WorkerSlot::LoseWorker(Loss loss) {
  if (loss == Loss::kDied) {
    pollfd wait = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
    // One that closed its socket and lives on is broken, too.
    if (PollUntil({&wait, 1}, Now() + kEndGrace) == 0) loss = Loss::kBroken;
  }
  if (loss != Loss::kDied) process_->Kill();
  const ProcessEnd end = process_->Reap();
  process_.reset();
  transport_.reset();
  ledger_.Clear();
  shared_.health.ReportDown(index_);

  if (loss == Loss::kTooLate) return {.how = "killed when it did not stop", .innocent = true};
  ++shared_.crashes;
  WorkerEnd lost = {.how = end.ToString(), .innocent = false};
  if (loss == Loss::kBroken) {
    lost.how = "it sent what is no answer";
  } else if (end.FromOutside()) {
    lost.innocent = !shared_.oom.KilledSince();
    if (!lost.innocent) lost.how = "killed for lack of memory";
  }
  if (!lost.innocent) ++failures_;
  return lost;
}

void WorkerSlot::RetryOrFail(const TaskPtr& task, const WorkerEnd& end, Blame blame) {
  if (task->stop != StopWish::kNone) return Complete(task, RequestCancelled(task->settled_cells));
  if (task->task.deadline <= Now()) return Complete(task, DeadlineExceeded(task->settled_cells));
  if (blame == Blame::kNone) {
    if (++task->innocent_ends > kMaxInnocentEnds) {
      return Complete(task, WorkerCrashed("killed from outside", task->innocent_ends));
    }
  } else if (++task->crashes >= kMaxCrashes) {
    shared_.quarantine.Add(task->task, end.how);
    return Complete(task, WorkerCrashed(end.how, task->crashes));
  }
  if (shared_.queue.PutBack(task) == TaskQueue::Again::kTaken) {
    ++shared_.retried_tasks;
  } else {
    Complete(task, NoWorkers(end.how, shared_.options.backoff_max));
  }
}

}  // namespace talweg::workers
