#include "poll_wait.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>

namespace talweg::workers {
namespace {

// -1 (for ever) for MonotonicTime::max(); rounded up, so that a wait never
// ends before its deadline and then spins.
int TimeoutMilliseconds(MonotonicTime deadline) {
  if (deadline == MonotonicTime::max()) return -1;
  const auto now = std::chrono::steady_clock::now();
  if (deadline <= now) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::min<int64_t>(left, std::numeric_limits<int>::max()));
}

}  // namespace

int PollUntil(std::span<pollfd> descriptors, MonotonicTime deadline) {
  while (true) {
    const int ready = poll(descriptors.data(), descriptors.size(), TimeoutMilliseconds(deadline));
    if (ready >= 0) return ready;
    if (errno == EINTR) continue;
    for (pollfd& descriptor : descriptors) descriptor.revents = descriptor.events;
    return static_cast<int>(descriptors.size());
  }
}

}  // namespace talweg::workers
