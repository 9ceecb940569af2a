// What every handler gets beside its request.
#ifndef TALWEG_SERVICE_CALL_CONTEXT_H_
#define TALWEG_SERVICE_CALL_CONTEXT_H_

#include "absl/status/status.h"
#include "talweg/base/errors.h"
#include "talweg/base/stop_token.h"
#include "talweg/service/cancel_signal.h"
#include "talweg/service/limits.h"
#include "talweg/store/store.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::service {

// The machinery below the service; outlives every call.
struct Backend {
  store::Store& store;
  workers::WorkerPool& pool;
  ServiceLimits limits;
};

// One call. Lives on the stack of the bridge (or of a test).
struct CallContext {
  Backend& backend;
  CancelSignal& cancel;
  MonotonicTime deadline = MonotonicTime::max();

  // Why the call must end now: the signal's reason or DEADLINE_EXCEEDED.
  absl::Status CheckAlive() const {
    if (std::chrono::steady_clock::now() >= deadline) return DeadlineExceeded(0);
    return cancel.status();
  }
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CALL_CONTEXT_H_
