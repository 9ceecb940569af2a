#include "call_registry.h"

#include "talweg/base/errors.h"

namespace talweg::service {

absl::Status CallRegistry::Admit() {
  constexpr absl::Duration kRetryDelay = absl::Milliseconds(200);
  const std::lock_guard lock(mutex_);
  if (!admitting_) return ShuttingDown();
  if (running_ >= max_running_) return TooManyRequests(running_, max_running_, kRetryDelay);
  ++running_;
  return absl::OkStatus();
}

void CallRegistry::StopRunning() {
  const std::lock_guard lock(mutex_);
  --running_;
}

void CallRegistry::Open(CancelSignal& signal) {
  const std::lock_guard lock(mutex_);
  open_.insert(&signal);
}

void CallRegistry::Close(CancelSignal& signal) {
  const std::lock_guard lock(mutex_);
  open_.erase(&signal);
  changed_.notify_all();
}

void CallRegistry::StopAdmitting() {
  const std::lock_guard lock(mutex_);
  admitting_ = false;
}

void CallRegistry::CancelAll(const absl::Status& reason) {
  const std::lock_guard lock(mutex_);
  for (CancelSignal* signal : open_) signal->Raise(reason);
}

bool CallRegistry::WaitUntilClosed(absl::Duration patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoNanoseconds(patience),
                           [&] { return open_.empty(); });
}

}  // namespace talweg::service
