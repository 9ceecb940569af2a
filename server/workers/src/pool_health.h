// Which workers of a pool are usable, and why the others are not.
#ifndef TALWEG_WORKERS_POOL_HEALTH_H_
#define TALWEG_WORKERS_POOL_HEALTH_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace talweg::workers {

// Thread-safe. Slots report, the pool reads.
class PoolHealth {
 public:
  explicit PoolHealth(size_t slots) : slots_(slots) {}

  void ReportUsable(size_t slot, int pid);
  void ReportDown(size_t slot);

  // Returns whether by now no slot can start a worker.
  bool ReportFailedStart(size_t slot, std::string_view why);

  // Waits until every slot has a usable worker or has failed to start one
  // kStartAttempts times.
  void WaitForStart();

  size_t usable() const;
  std::vector<int> pids() const;  // of the usable workers
  std::string last_failure() const;

 private:
  // A slot that failed so often in a row does not count on start, and when all
  // have, the pool is of no use for now.
  static constexpr int kStartAttempts = 3;
  static constexpr int kHopelessAttempts = 5;

  struct Slot {
    bool usable = false;
    int pid = 0;
    int failed_starts = 0;  // in a row
  };

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::string last_failure_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_POOL_HEALTH_H_
