#include "quarantine.h"

#include <algorithm>
#include <chrono>

#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/task_codec.h"

namespace talweg::workers {

store::Digest128 TaskFingerprint(const Task& task) {
  worker::v1::Dispatch dispatch;
  dispatch.set_segment_key(store::ToHex(task.surface->checksum()));
  *dispatch.mutable_recipe() = RecipeToProto(task.recipe);
  WorkToProto(task.work, dispatch);
  const std::string bytes = dispatch.SerializeAsString();
  return store::Xxh3(std::as_bytes(std::span(bytes)));
}

std::optional<std::string> Quarantine::Find(const Task& task) {
  if (empty_) return std::nullopt;
  const store::Digest128 fingerprint = TaskFingerprint(task);
  const std::lock_guard lock(mutex_);
  DropExpired();
  const auto found = entries_.find(fingerprint);
  if (found == entries_.end()) return std::nullopt;
  return found->second.how;
}

void Quarantine::Add(const Task& task, const std::string& how) {
  const store::Digest128 fingerprint = TaskFingerprint(task);
  const std::lock_guard lock(mutex_);
  DropExpired();
  if (entries_.size() >= kMaxEntries) {
    entries_.erase(std::ranges::min_element(entries_, {},
                                            [](const auto& entry) { return entry.second.until; }));
  }
  const auto until = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(duration_);
  entries_[fingerprint] = {.until = until, .how = how};
  empty_ = false;
}

void Quarantine::DropExpired() {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(entries_, [now](const auto& entry) { return entry.second.until <= now; });
  empty_ = entries_.empty();
}

}  // namespace talweg::workers
