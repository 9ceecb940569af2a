// What one worker has mapped, as its slot knows it.
#ifndef TALWEG_WORKERS_SURFACE_LEDGER_H_
#define TALWEG_WORKERS_SURFACE_LEDGER_H_

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "talweg/store/shared_cost_surface.h"

namespace talweg::workers {

// Keeps no surface alive: when a revision's last reader on the server is gone,
// the workers are told to unmap it too.
class SurfaceLedger {
 public:
  using SurfacePtr = std::shared_ptr<const store::SharedCostSurface>;

  // The name of a segment between server and worker.
  static std::string KeyOf(const store::SharedCostSurface& surface);

  bool Holds(const std::string& key) const;

  // Notes that `surface` is in use. Returns the key that must leave to make
  // room for it, or nothing.
  std::string Use(const std::string& key, const SurfacePtr& surface);
  void Forget(const std::string& key);

  // Keys of retired surfaces, which are forgotten with this.
  std::vector<std::string> TakeRetired();

  bool empty() const { return entries_.empty(); }
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    std::string key;
    std::weak_ptr<const store::SharedCostSurface> surface;
  };
  std::list<Entry> entries_;  // latest used first
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_SURFACE_LEDGER_H_
