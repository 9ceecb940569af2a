#include "pool_health.h"

#include <algorithm>

namespace talweg::workers {

void PoolHealth::ReportUsable(size_t slot, int pid) {
  const std::lock_guard lock(mutex_);
  slots_[slot] = {.usable = true, .pid = pid, .failed_starts = 0};
  changed_.notify_all();
}

void PoolHealth::ReportDown(size_t slot) {
  const std::lock_guard lock(mutex_);
  slots_[slot].usable = false;
  slots_[slot].pid = 0;
}

bool PoolHealth::ReportFailedStart(size_t slot, std::string_view why) {
  const std::lock_guard lock(mutex_);
  ++slots_[slot].failed_starts;
  last_failure_ = why;
  changed_.notify_all();
  return std::ranges::all_of(
      slots_, [](const Slot& each) { return each.failed_starts >= kHopelessAttempts; });
}

void PoolHealth::WaitForStart() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return std::ranges::all_of(slots_, [](const Slot& slot) {
      return slot.usable || slot.failed_starts >= kStartAttempts;
    });
  });
}

size_t PoolHealth::usable() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(slots_, [](const Slot& slot) { return slot.usable; }));
}

std::vector<int> PoolHealth::pids() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> pids;
  for (const Slot& slot : slots_) {
    if (slot.usable) pids.push_back(slot.pid);
  }
  return pids;
}

std::string PoolHealth::last_failure() const {
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

}  // namespace talweg::workers
