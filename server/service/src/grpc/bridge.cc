#include "bridge.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <exception>
#include <new>

namespace talweg::service {
namespace {

// gRPC counts deadlines on the wall clock; from here on the monotonic one rules.
MonotonicTime DeadlineOf(const grpc::CallbackServerContext& context) {
  const auto deadline = context.deadline();
  const auto now = std::chrono::system_clock::now();
  constexpr auto kFarAway = std::chrono::hours(24 * 365);
  if (deadline > now + kFarAway) return MonotonicTime::max();
  return std::chrono::steady_clock::now() + (deadline - now);
}

absl::Status RunGuarded(const std::function<absl::Status(CallContext&)>& handler,
                        CallContext& call) {
  try {
    return handler(call);
  } catch (const std::bad_alloc&) {
    return OutOfMemory("the memory of a request", 0);
  } catch (const std::exception& error) {
    spdlog::error("a handler threw: {}", error.what());
    return MakeError(absl::StatusCode::kInternal, "the request could not be carried out",
                     {.reason = "INTERNAL",
                      .field = "",
                      .value = "",
                      .valid_range = "",
                      .retry_delay = std::nullopt});
  }
}

void LogCall(const std::string& label, const absl::Status& status,
             std::chrono::steady_clock::duration took) {
  const double took_ms = std::chrono::duration<double, std::milli>(took).count();
  const bool ours =
      status.code() == absl::StatusCode::kInternal || status.code() == absl::StatusCode::kDataLoss;
  spdlog::log(ours ? spdlog::level::warn : spdlog::level::debug, "{} {} {:.1f} ms {}", label,
              absl::StatusCodeToString(status.code()), took_ms, std::string(status.message()));
}

}  // namespace

std::string Printable(const std::string& text) {
  constexpr size_t kMaxBytes = 128;
  std::string printable = text.substr(0, kMaxBytes);
  for (char& c : printable) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f) c = '?';
  }
  return printable;
}

BridgedCall::BridgedCall(BridgeState& bridge, grpc::CallbackServerContext& context)
    : bridge_(bridge), context_(context), deadline_(DeadlineOf(context)) {
  bridge_.registry.Open(signal_);
}

BridgedCall::~BridgedCall() { bridge_.registry.Close(signal_); }

void BridgedCall::Run(std::function<absl::Status(CallContext&)> handler,
                      std::function<void(const absl::Status&)> finish) {
  if (const absl::Status admitted = bridge_.registry.Admit(); !admitted.ok()) {
    finish(admitted);
    return;
  }
  bridge_.executor.Run([this, handler = std::move(handler), finish = std::move(finish)] {
    // A copy: `finish` may end the call and with it everything here.
    BridgeState& bridge = bridge_;
    const absl::Status status = RunHere(handler);
    bridge.registry.StopRunning();
    finish(status);
  });
}

absl::Status BridgedCall::RunHere(const std::function<absl::Status(CallContext&)>& handler) {
  const auto start = std::chrono::steady_clock::now();
  CallContext call{.backend = bridge_.backend, .cancel = signal_, .deadline = deadline_};
  absl::Status status = call.CheckAlive();
  if (status.ok()) status = RunGuarded(handler, call);
  LogCall(label_, status, std::chrono::steady_clock::now() - start);
  return status;
}

absl::Status BridgedCall::BrokenStream() const {
  if (std::chrono::steady_clock::now() >= deadline_) return DeadlineExceeded(0);
  const absl::Status reason = signal_.status();
  return reason.ok() ? RequestCancelled(0) : reason;
}

}  // namespace talweg::service
