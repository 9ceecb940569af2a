#include "running_call.h"

#include <chrono>

namespace talweg::client {

RunningCall::RunningCall(const CallOptions& options) : options_(options) {
  if (options_.timeout < absl::InfiniteDuration()) {
    context_.set_deadline(absl::ToChronoTime(absl::Now() + options_.timeout));
  }
  if (options_.cancelled) watcher_ = std::thread([this] { Watch(); });
}

RunningCall::~RunningCall() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_one();
  }
  if (watcher_.joinable()) watcher_.join();
}

void RunningCall::Watch() {
  constexpr auto kInterval = std::chrono::milliseconds(50);
  std::unique_lock lock(mutex_);
  do {
    lock.unlock();
    const bool cancel = options_.cancelled();
    lock.lock();
    if (cancel) {
      context_.TryCancel();
      return;
    }
  } while (!changed_.wait_for(lock, kInterval, [&] { return over_; }));
}

}  // namespace talweg::client
