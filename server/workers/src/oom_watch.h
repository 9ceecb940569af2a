// Tells a SIGKILL by the kernel's out-of-memory killer from one by a person or
// an orchestrator: the first is the task's doing, the second is not.
#ifndef TALWEG_WORKERS_OOM_WATCH_H_
#define TALWEG_WORKERS_OOM_WATCH_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "talweg/base/stop_token.h"

namespace talweg::workers {

// Best effort, by the kernel's counts of such kills: of this process's memory
// cgroup (v2 memory.events, v1 memory.oom_control), else of the host
// (/proc/vmstat). Thread-safe.
class OomWatch {
 public:
  OomWatch();

  // Called as tasks are dispatched: kills that happened before are nobody's.
  void NoteQuiet();

  // Whether a kill was counted since the latest NoteQuiet or call of this.
  bool KilledSince();

 private:
  uint64_t Read() const;

  std::string file_;
  std::string key_;
  std::mutex mutex_;
  uint64_t count_ = 0;
  MonotonicTime read_at_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_OOM_WATCH_H_
