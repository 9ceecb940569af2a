// Waiting for descriptors until a moment of the monotonic clock.
#ifndef TALWEG_WORKERS_POLL_WAIT_H_
#define TALWEG_WORKERS_POLL_WAIT_H_

#include <poll.h>

#include <span>

#include "talweg/base/stop_token.h"

namespace talweg::workers {

// poll() with a deadline, repeated when a signal interrupts it. Returns how
// many descriptors are ready, 0 at the deadline. A failure of poll itself is
// reported as every descriptor being ready: the calls that follow will say
// what is wrong.
int PollUntil(std::span<pollfd> descriptors, MonotonicTime deadline);

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_POLL_WAIT_H_
