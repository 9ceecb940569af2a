#include "surface_cache.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::workers {

absl::StatusOr<std::shared_ptr<const store::SharedCostSurface>> SurfaceCache::Get(
    const std::string& key, ReceivedMessage& message) {
  if (message.attachment == Attachment::kLost) {
    return SystemCallFailed("receiving a surface", EMFILE);
  }
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (message.attachment == Attachment::kPresent) {
    TALWEG_ASSIGN_OR_RETURN(auto surface,
                            store::SharedCostSurface::Receive(std::move(message.descriptor)));
    if (found != entries_.end()) entries_.erase(found);
    if (entries_.size() >= kMaxWorkerSurfaces) entries_.pop_back();
    entries_.push_front({.key = key, .surface = std::move(surface)});
  } else if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    return ProtocolError("a task names a surface that was not sent");
  }
  return entries_.front().surface;
}

void SurfaceCache::Drop(const std::string& key) {
  std::erase_if(entries_, [&key](const Entry& entry) { return entry.key == key; });
}

}  // namespace talweg::workers
