#include "talweg/base/stop_token.h"

#include "talweg/base/errors.h"

namespace talweg {

absl::Status SearchControl::Poll(uint64_t settled_cells, double frontier_cost) {
  const uint64_t total =
      progress_.settled_cells.fetch_add(settled_cells, std::memory_order_relaxed) + settled_cells;
  progress_.frontier_cost.store(frontier_cost, std::memory_order_relaxed);
  if (cancelled()) return RequestCancelled(total);
  if (deadline_ != MonotonicTime::max() && std::chrono::steady_clock::now() >= deadline_) {
    return DeadlineExceeded(total);
  }
  return absl::OkStatus();
}

}  // namespace talweg
