// Tasks that crashed two workers, refused for a while: a poison request cannot
// grind the pool.
#ifndef TALWEG_WORKERS_QUARANTINE_H_
#define TALWEG_WORKERS_QUARANTINE_H_

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "talweg/base/stop_token.h"
#include "talweg/store/checksum.h"
#include "task_record.h"

namespace talweg::workers {

// What a task is, whoever asks and whenever: surface, recipe and work.
store::Digest128 TaskFingerprint(const Task& task);

// Thread-safe. Holds the last kMaxEntries such tasks.
class Quarantine {
 public:
  explicit Quarantine(absl::Duration duration) : duration_(duration) {}

  // How the task crashed its workers, while it is refused.
  std::optional<std::string> Find(const Task& task);
  void Add(const Task& task, const std::string& how);

 private:
  static constexpr size_t kMaxEntries = 1024;
  struct Entry {
    MonotonicTime until;
    std::string how;
  };
  void DropExpired();

  const absl::Duration duration_;
  // Almost always empty, and then no task is hashed.
  std::atomic<bool> empty_ = true;
  std::mutex mutex_;
  std::map<store::Digest128, Entry> entries_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_QUARANTINE_H_
