// Names and their current revisions.
#ifndef TALWEG_STORE_CATALOGUE_H_
#define TALWEG_STORE_CATALOGUE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/store/store.h"
#include "talweg/store/surface_rules.h"

namespace talweg::store {

using SurfacePtr = std::shared_ptr<const SharedCostSurface>;

enum class Replace : bool { kRefused = false, kAllowed = true };

// Thread-safe. Every operation is one short lock around a map of pointers;
// revisions are unmapped outside of it. A durable catalogue will stand behind
// this interface.
class Catalogue {
 public:
  explicit Catalogue(uint64_t max_surfaces) : max_surfaces_(max_surfaces) {}

  // Whether Publish would be refused now: SURFACE_EXISTS, LIMIT_EXCEEDED.
  absl::Status CheckRoom(const std::string& id, Replace replace) const;

  // Makes `surface` the current revision of `id`. Who opened the one before
  // keeps it. SURFACE_EXISTS, LIMIT_EXCEEDED.
  absl::Status Publish(const std::string& id, SurfacePtr surface, Replace replace);

  // SURFACE_NOT_FOUND, REVISION_NOT_FOUND.
  absl::StatusOr<SurfacePtr> Open(const SurfaceName& name) const;

  // SURFACE_NOT_FOUND.
  absl::Status Delete(const SurfaceName& name);

  std::vector<SurfacePtr> List() const;  // by name
  StoreUsage Usage() const;

 private:
  absl::Status CheckRoomLocked(const std::string& id, Replace replace) const;

  const uint64_t max_surfaces_;
  mutable std::mutex mutex_;
  std::map<std::string, SurfacePtr> current_;  // by id
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_CATALOGUE_H_
