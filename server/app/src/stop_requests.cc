#include "stop_requests.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "talweg/base/errors.h"

namespace talweg::app {

absl::StatusOr<StopRequests> StopRequests::Take(int lifeline_fd) {
  signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) {
    return SystemCallFailed("pthread_sigmask", errno);
  }
  store::FileDescriptor signals(signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals.valid()) return SystemCallFailed("signalfd", errno);
  return StopRequests(std::move(signals), lifeline_fd);
}

StopRequest StopRequests::Wait(absl::Duration patience) {
  pollfd waiting[2] = {{.fd = signals_.get(), .events = POLLIN, .revents = 0},
                       {.fd = lifeline_fd_, .events = POLLIN, .revents = 0}};
  const int64_t patience_ms = std::min<int64_t>(absl::ToInt64Milliseconds(patience), INT_MAX);
  if (poll(waiting, 2, static_cast<int>(patience_ms)) <= 0) return StopRequest::kNone;
  if ((waiting[0].revents & POLLIN) != 0) {
    signalfd_siginfo info;
    if (read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      return StopRequest::kSignal;
    }
  }
  if (waiting[1].revents != 0) {
    // Nobody writes here: whatever is readable is the end of the other side.
    lifeline_fd_ = -1;
    return StopRequest::kParentGone;
  }
  return StopRequest::kNone;
}

}  // namespace talweg::app
