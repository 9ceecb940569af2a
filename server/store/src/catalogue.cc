#include "catalogue.h"

#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/store/segment_header.h"

namespace talweg::store {

absl::Status Catalogue::CheckRoomLocked(const std::string& id, Replace replace) const {
  const bool exists = current_.contains(id);
  if (exists && replace == Replace::kRefused) return SurfaceExists("surfaces/" + id);
  if (!exists && current_.size() >= max_surfaces_) {
    return LimitExceeded("max_surfaces", std::to_string(current_.size() + 1),
                         std::to_string(max_surfaces_));
  }
  return absl::OkStatus();
}

absl::Status Catalogue::CheckRoom(const std::string& id, Replace replace) const {
  const std::lock_guard lock(mutex_);
  return CheckRoomLocked(id, replace);
}

absl::Status Catalogue::Publish(const std::string& id, SurfacePtr surface, Replace replace) {
  // After the lock `surface` holds the revision before; if this was its last
  // reader, it is unmapped here, where nobody waits for it.
  const std::lock_guard lock(mutex_);
  TALWEG_RETURN_IF_ERROR(CheckRoomLocked(id, replace));
  current_[id].swap(surface);
  return absl::OkStatus();
}

absl::StatusOr<SurfacePtr> Catalogue::Open(const SurfaceName& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = current_.find(name.id);
  if (found == current_.end()) return SurfaceNotFound(name.WithoutRevision());
  const SurfacePtr& surface = found->second;
  if (!name.revision.empty() && name.revision != surface->revision()) {
    return RevisionNotFound(name.WithoutRevision(), name.revision, surface->revision());
  }
  return surface;
}

absl::Status Catalogue::Delete(const SurfaceName& name) {
  SurfacePtr retired;  // unmapped after the lock
  const std::lock_guard lock(mutex_);
  const auto found = current_.find(name.id);
  if (found == current_.end()) return SurfaceNotFound(name.WithoutRevision());
  retired = std::move(found->second);
  current_.erase(found);
  return absl::OkStatus();
}

std::vector<SurfacePtr> Catalogue::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<SurfacePtr> surfaces;
  surfaces.reserve(current_.size());
  for (const auto& [id, surface] : current_) surfaces.push_back(surface);
  return surfaces;
}

StoreUsage Catalogue::Usage() const {
  const std::lock_guard lock(mutex_);
  StoreUsage usage;
  usage.surfaces = current_.size();
  for (const auto& [id, surface] : current_) {
    usage.surface_bytes += PlanSegment(surface->description()).segment_bytes;
  }
  return usage;
}

}  // namespace talweg::store
