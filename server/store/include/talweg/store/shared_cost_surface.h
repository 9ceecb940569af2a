// A cost surface that keeps its sealed segment mapped.
#ifndef TALWEG_STORE_SHARED_COST_SURFACE_H_
#define TALWEG_STORE_SHARED_COST_SURFACE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/cost/cost_surface.h"
#include "talweg/cost/surface_statistics.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::store {

// Immutable and thread-safe; unmapped with the last shared_ptr. CostSurface
// owns private memory, CostSurfaceView borrows; take this one where a revision
// must outlive the call.
class SharedCostSurface {
 public:
  // Maps a segment that another process sent: checks seals, access mode, size,
  // header and metadata with their digest, and takes nothing on trust.
  // SEGMENT_INVALID, SYSTEM_CALL.
  //
  // The cells are not hashed again. The server hashed them before it sealed
  // the segment, a sealed segment cannot change, and the descriptor came over
  // a socket that only the server holds: a second hash could find nothing but
  // failing memory, yet would read all of an 800 MB surface in every worker
  // before its first small task. Who reads segments from elsewhere (a file, a
  // network) calls VerifyCells().
  static absl::StatusOr<std::shared_ptr<const SharedCostSurface>> Receive(FileDescriptor segment);

  // Hashes all cells and compares; about 0.1 s per GB. SEGMENT_INVALID.
  absl::Status VerifyCells() const;

  ~SharedCostSurface();
  SharedCostSurface(const SharedCostSurface&) = delete;
  SharedCostSurface& operator=(const SharedCostSurface&) = delete;

  CostSurfaceView view() const;
  const SurfaceDescription& description() const;
  const SurfaceStatistics& statistics() const;
  const std::string& name() const;      // "surfaces/{id}"; empty in a worker
  const std::string& revision() const;  // first 16 hex digits of the checksum
  const std::string& checksum() const;  // XXH3-128, 16 bytes, canonical order
  absl::Time publish_time() const;

  // Read-only descriptor of the segment, for SCM_RIGHTS.
  const FileDescriptor& segment() const;

 private:
  friend class SurfaceBuilder;
  struct State;
  explicit SharedCostSurface(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_SHARED_COST_SURFACE_H_
