// How a running search is told to stop, and how it says how far it is.
#ifndef TALWEG_BASE_STOP_TOKEN_H_
#define TALWEG_BASE_STOP_TOKEN_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"

namespace talweg {

// Monotonic: a jump of the wall clock neither ends nor extends a request.
using MonotonicTime = std::chrono::steady_clock::time_point;

// How far a search is. Written by one search, read by any thread.
struct Progress {
  std::atomic<uint64_t> settled_cells{0};
  std::atomic<double> frontier_cost{0.0};
};

// One request's stop state: a cancel flag, a deadline, and its progress.
// Shared by who runs the search and who may end it; all members are
// thread-safe.
class SearchControl {
 public:
  SearchControl() = default;
  explicit SearchControl(MonotonicTime deadline) : deadline_(deadline) {}
  SearchControl(const SearchControl&) = delete;
  SearchControl& operator=(const SearchControl&) = delete;

  // Asks the search to end with CANCELLED. Idempotent.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // Called by kernels every few thousand settled cells. Adds `settled_cells`
  // to the progress, publishes `frontier_cost`, and returns OK, CANCELLED or
  // DEADLINE_EXCEEDED.
  absl::Status Poll(uint64_t settled_cells, double frontier_cost);

  const Progress& progress() const { return progress_; }

 private:
  std::atomic<bool> cancelled_{false};
  MonotonicTime deadline_ = MonotonicTime::max();
  Progress progress_;
};

}  // namespace talweg

#endif  // TALWEG_BASE_STOP_TOKEN_H_
