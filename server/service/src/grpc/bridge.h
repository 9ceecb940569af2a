// From gRPC's callbacks to blocking handlers: each call gets a reactor, which
// runs its handler on the executor and ends the call with its status.
#ifndef TALWEG_SERVICE_BRIDGE_H_
#define TALWEG_SERVICE_BRIDGE_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "call_registry.h"
#include "executor.h"
#include "talweg/service/call_context.h"
#include "talweg/service/status_mapping.h"
#include "talweg/service/streams.h"

namespace talweg::service {

// Outside text for the log: at most 128 bytes, anything unprintable as '?', so
// that nobody writes lines of his own.
std::string Printable(const std::string& text);

// What every bridged call shares.
struct BridgeState {
  Backend& backend;
  CallRegistry registry;
  Executor executor;
};

// The life of one call, whatever its shape. Open from its construction to its
// destruction.
class BridgedCall {
 public:
  BridgedCall(BridgeState& bridge, grpc::CallbackServerContext& context);
  ~BridgedCall();
  BridgedCall(const BridgedCall&) = delete;
  BridgedCall& operator=(const BridgedCall&) = delete;

  // Runs `handler` on the executor, then `finish` with its status; `finish`
  // alone, at once, when the call is not admitted. `finish` may end the call:
  // nothing of this object is touched after it.
  void Run(std::function<absl::Status(CallContext&)> handler,
           std::function<void(const absl::Status&)> finish);

  void set_label(std::string label) { label_ = std::move(label); }

  // Runs `handler` on this thread: for handlers that do not block.
  absl::Status RunHere(const std::function<absl::Status(CallContext&)>& handler);

  // The client is gone or its deadline has passed.
  void OnCancel() { signal_.Raise(RequestCancelled(0)); }

  // Why a read or write failed.
  absl::Status BrokenStream() const;
  // Gives up a client that stands still.
  void AbandonClient() { context_.TryCancel(); }
  absl::Duration max_stall() const { return bridge_.backend.limits.max_stall; }

 private:
  BridgeState& bridge_;
  grpc::CallbackServerContext& context_;
  const MonotonicTime deadline_;
  CancelSignal signal_;
  std::string label_;
};

// What the log calls a request: its type and the id its sender gave it.
template <class Request>
std::string LabelOf(const Request& request) {
  std::string label = Request::descriptor()->name();
  if constexpr (requires { request.request_id(); }) {
    if (!request.request_id().empty()) label += " " + Printable(request.request_id());
  }
  return label;
}

// One request, one response.
template <class Request, class Response>
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  using Handler = absl::Status (*)(CallContext&, const Request&, Response&);

  UnaryCall(BridgeState& bridge, grpc::CallbackServerContext& context) : call_(bridge, context) {}

  void Start(Handler handler, const Request& request, Response& response) {
    call_.set_label(LabelOf(request));
    call_.Run(
        [=, &request, &response](CallContext& call) { return handler(call, request, response); },
        [this](const absl::Status& status) { Finish(ToGrpcStatus(status)); });
  }
  void RunHere(Handler handler, const Request& request, Response& response) {
    call_.set_label(LabelOf(request));
    Finish(ToGrpcStatus(
        call_.RunHere([&](CallContext& call) { return handler(call, request, response); })));
  }

 private:
  void OnCancel() override { call_.OnCancel(); }
  void OnDone() override { delete this; }

  BridgedCall call_;
};

// One request, a stream of responses.
template <class Request, class Response>
class ServerStreamCall final : public grpc::ServerWriteReactor<Response>,
                               private StreamWriter<Response> {
 public:
  using Handler = absl::Status (*)(CallContext&, const Request&, StreamWriter<Response>&);

  ServerStreamCall(BridgeState& bridge, grpc::CallbackServerContext& context)
      : call_(bridge, context) {}

  void Start(Handler handler, const Request& request) {
    call_.set_label(LabelOf(request));
    call_.Run(
        [=, this, &request](CallContext& call) {
          absl::Status status = handler(call, request, *this);
          const absl::Status sent = WaitForWrite();
          return status.ok() ? sent : status;
        },
        [this](const absl::Status& status) { this->Finish(ToGrpcStatus(status)); });
  }

 private:
  absl::Status Write(Response message) override {
    if (absl::Status sent = WaitForWrite(); !sent.ok()) return sent;
    message_ = std::move(message);
    writing_ = true;
    this->StartWrite(&message_);
    return absl::OkStatus();
  }

  // Until the message under way, if any, is with the transport.
  absl::Status WaitForWrite() {
    std::unique_lock lock(mutex_);
    const auto written = [&] { return !writing_; };
    if (!changed_.wait_for(lock, absl::ToChronoNanoseconds(call_.max_stall()), written)) {
      call_.AbandonClient();
      changed_.wait(lock, written);
    }
    return write_ok_ ? absl::OkStatus() : call_.BrokenStream();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    write_ok_ = ok;
    changed_.notify_one();
  }
  void OnCancel() override { call_.OnCancel(); }
  void OnDone() override { delete this; }

  BridgedCall call_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Response message_;  // under way
  bool writing_ = false;
  bool write_ok_ = true;
};

// A stream of requests, one response.
template <class Request, class Response>
class ClientStreamCall final : public grpc::ServerReadReactor<Request>,
                               private StreamReader<Request> {
 public:
  using Handler = absl::Status (*)(CallContext&, StreamReader<Request>&, Response&);

  ClientStreamCall(BridgeState& bridge, grpc::CallbackServerContext& context)
      : call_(bridge, context) {}

  void Start(Handler handler, Response& response) {
    call_.set_label(Request::descriptor()->name());
    call_.Run([=, this, &response](CallContext& call) { return handler(call, *this, response); },
              [this](const absl::Status& status) { this->Finish(ToGrpcStatus(status)); });
  }

 private:
  // The next message is received while the handler works on this one.
  absl::StatusOr<const Request*> Read() override {
    if (!started_) {
      started_ = true;
      StartNext();
    }
    {
      std::unique_lock lock(mutex_);
      const auto read = [&] { return !reading_; };
      if (!changed_.wait_for(lock, absl::ToChronoNanoseconds(call_.max_stall()), read)) {
        call_.AbandonClient();
        changed_.wait(lock, read);
        return call_.BrokenStream();
      }
      if (!read_ok_) return nullptr;
    }
    const Request* message = &messages_[next_];
    next_ ^= 1;
    StartNext();
    return message;
  }

  void StartNext() {
    reading_ = true;
    this->StartRead(&messages_[next_]);
  }

  void OnReadDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    reading_ = false;
    read_ok_ = ok;
    changed_.notify_one();
  }
  void OnCancel() override { call_.OnCancel(); }
  void OnDone() override { delete this; }

  BridgedCall call_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Request, 2> messages_;
  size_t next_ = 0;
  bool started_ = false;
  bool reading_ = false;
  bool read_ok_ = true;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_BRIDGE_H_
