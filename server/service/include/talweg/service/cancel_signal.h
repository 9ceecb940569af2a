// The end of a call before its answer: the client left, the deadline passed,
// or the server stops.
#ifndef TALWEG_SERVICE_CANCEL_SIGNAL_H_
#define TALWEG_SERVICE_CANCEL_SIGNAL_H_

#include <functional>
#include <mutex>

#include "absl/status/status.h"

namespace talweg::service {

// Thread-safe. Raised at most once; the first reason stays.
class CancelSignal {
 public:
  CancelSignal() = default;
  CancelSignal(const CancelSignal&) = delete;
  CancelSignal& operator=(const CancelSignal&) = delete;

  // `reason` is what the call ends with; not OK.
  void Raise(const absl::Status& reason);

  // OK until raised, then the reason.
  absl::Status status() const;

  // `listener` runs when the signal is raised, at once if it was already; it
  // must be quick and must not touch this signal. One listener at a time; {}
  // takes it away, after which it neither runs nor is running.
  void SetListener(std::function<void()> listener);

 private:
  mutable std::mutex mutex_;
  absl::Status reason_;
  std::function<void()> listener_;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CANCEL_SIGNAL_H_
