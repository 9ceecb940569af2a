#include "surface_ledger.h"

#include <algorithm>

#include "absl/time/time.h"
#include "surface_cache.h"
#include "talweg/store/checksum.h"

namespace talweg::workers {

std::string SurfaceLedger::KeyOf(const store::SharedCostSurface& surface) {
  // With the time: the same cells published again are another segment, and
  // whoever maps the older one must let it go.
  return store::ToHex(surface.checksum()) + "-" +
         std::to_string(absl::ToUnixNanos(surface.publish_time()));
}

bool SurfaceLedger::Holds(const std::string& key) const {
  return std::ranges::find(entries_, key, &Entry::key) != entries_.end();
}

std::string SurfaceLedger::Use(const std::string& key, const SurfacePtr& surface) {
  Forget(key);
  std::string leaves;
  if (entries_.size() >= kMaxWorkerSurfaces) {
    leaves = entries_.back().key;
    entries_.pop_back();
  }
  entries_.push_front({.key = key, .surface = surface});
  return leaves;
}

void SurfaceLedger::Forget(const std::string& key) {
  std::erase_if(entries_, [&key](const Entry& entry) { return entry.key == key; });
}

std::vector<std::string> SurfaceLedger::TakeRetired() {
  std::vector<std::string> retired;
  std::erase_if(entries_, [&retired](const Entry& entry) {
    if (!entry.surface.expired()) return false;
    retired.push_back(entry.key);
    return true;
  });
  return retired;
}

}  // namespace talweg::workers
