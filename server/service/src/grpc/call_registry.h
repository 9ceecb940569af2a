// The calls under way: how many may be, and how they all end.
#ifndef TALWEG_SERVICE_CALL_REGISTRY_H_
#define TALWEG_SERVICE_CALL_REGISTRY_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "talweg/service/cancel_signal.h"

namespace talweg::service {

// Thread-safe.
class CallRegistry {
 public:
  explicit CallRegistry(uint64_t max_running) : max_running_(max_running) {}

  // Counts a call as running: TOO_MANY_REQUESTS or SHUTTING_DOWN when it may
  // not be. Whoever was admitted calls StopRunning.
  absl::Status Admit();
  void StopRunning();

  // A call is open until its status has left the server, which a slow client
  // may delay beyond its running.
  void Open(CancelSignal& signal);
  void Close(CancelSignal& signal);

  void StopAdmitting();
  void CancelAll(const absl::Status& reason);
  // Whether no call is open any more, after waiting for that up to `patience`.
  bool WaitUntilClosed(absl::Duration patience);

 private:
  const uint64_t max_running_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_set<CancelSignal*> open_;
  uint64_t running_ = 0;
  bool admitting_ = true;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CALL_REGISTRY_H_
