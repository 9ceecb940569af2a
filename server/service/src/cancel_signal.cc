#include "talweg/service/cancel_signal.h"

#include <utility>

namespace talweg::service {

void CancelSignal::Raise(const absl::Status& reason) {
  const std::lock_guard lock(mutex_);
  if (!reason_.ok()) return;
  reason_ = reason;
  if (listener_) listener_();
}

absl::Status CancelSignal::status() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

void CancelSignal::SetListener(std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
  if (listener_ && !reason_.ok()) listener_();
}

}  // namespace talweg::service
