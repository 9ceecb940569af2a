// What asks the server to end: signals, and the end of its parent.
#ifndef TALWEG_APP_STOP_REQUESTS_H_
#define TALWEG_APP_STOP_REQUESTS_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::app {

enum class StopRequest { kNone, kSignal, kParentGone };

class StopRequests {
 public:
  // Blocks SIGTERM and SIGINT in this thread and those it will start, and
  // takes them from then on; SIGPIPE is ignored. Call before any thread
  // exists. `lifeline_fd` < 0: none. SYSTEM_CALL.
  static absl::StatusOr<StopRequests> Take(int lifeline_fd);

  // Waits for the next request; kNone after `patience`.
  StopRequest Wait(absl::Duration patience);

 private:
  StopRequests(store::FileDescriptor signals, int lifeline_fd)
      : signals_(std::move(signals)), lifeline_fd_(lifeline_fd) {}

  store::FileDescriptor signals_;
  int lifeline_fd_;
};

}  // namespace talweg::app

#endif  // TALWEG_APP_STOP_REQUESTS_H_
