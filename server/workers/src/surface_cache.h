// The surfaces a worker keeps mapped between tasks.
#ifndef TALWEG_WORKERS_SURFACE_CACHE_H_
#define TALWEG_WORKERS_SURFACE_CACHE_H_

#include <list>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/workers/transport.h"

namespace talweg::workers {

// How many surfaces a worker keeps; the server's SurfaceLedger counts along.
inline constexpr size_t kMaxWorkerSurfaces = 8;

// By segment key, least recently used out first.
class SurfaceCache {
 public:
  // The surface of `key`; `message` brings it when its attachment says so.
  // PROTOCOL_ERROR when it is neither here nor attached, SEGMENT_INVALID,
  // SYSTEM_CALL.
  absl::StatusOr<std::shared_ptr<const store::SharedCostSurface>> Get(const std::string& key,
                                                                      ReceivedMessage& message);
  void Drop(const std::string& key);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const store::SharedCostSurface> surface;
  };
  std::list<Entry> entries_;  // latest used first
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_SURFACE_CACHE_H_
