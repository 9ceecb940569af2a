// The surfaces of a server: uploads that become immutable revisions in sealed
// shared memory, and snapshots of them for requests.
#ifndef TALWEG_STORE_STORE_H_
#define TALWEG_STORE_STORE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/cost/surface_description.h"
#include "talweg/store/shared_cost_surface.h"

namespace talweg::store {

// Finite bounds; a refusal names limit, value and maximum.
struct StoreLimits {
  uint64_t max_surfaces = 1000;
  uint64_t max_open_uploads = 64;
  absl::Duration upload_ttl = absl::Minutes(30);  // an upload untouched this long is swept
};

struct StartUploadRequest {
  std::string surface_id;
  SurfaceDescription description;
  std::string request_id;  // empty: not idempotent
  bool create_only = false;
};

struct UploadState {
  std::string upload_id;
  uint64_t committed_offset = 0;
  uint64_t size_bytes = 0;
};

// What the sender says of all cells; exactly one is set.
struct UploadChecksum {
  std::string xxh3_128;  // 16 bytes, canonical order
  std::string sha256;    // 32 bytes
};

struct StoreUsage {
  uint64_t surfaces = 0;
  uint64_t surface_bytes = 0;  // of the current revisions' segments
};

// Thread-safe. Memory only: everything ends with the process.
class Store {
 public:
  explicit Store(const StoreLimits& limits);
  ~Store();

  // INVALID_VALUE for a bad id or description, SURFACE_EXISTS under
  // create_only, LIMIT_EXCEEDED, OUT_OF_MEMORY; REQUEST_ID_REUSED.
  absl::StatusOr<UploadState> StartUpload(const StartUploadRequest& request);

  // Appends at `offset`, which must be the committed one; returns the new one.
  // UPLOAD_NOT_FOUND, WRONG_OFFSET, UPLOAD_TOO_LONG, CHECKSUM_MISMATCH; on any
  // of them nothing changes.
  absl::StatusOr<uint64_t> WriteUpload(std::string_view upload_id, uint64_t offset,
                                       std::string_view data, uint32_t crc32);

  absl::StatusOr<UploadState> QueryUpload(std::string_view upload_id) const;

  // Verifies, seals, publishes; requests under way keep the old revision. A
  // repeated call for an upload that was finished returns the same revision.
  // UPLOAD_INCOMPLETE keeps the upload open; CHECKSUM_MISMATCH and
  // NEGATIVE_FRICTION end it.
  absl::StatusOr<std::shared_ptr<const SharedCostSurface>> FinishUpload(
      std::string_view upload_id, const UploadChecksum& checksum);

  // Pins a revision: "surfaces/{id}" or "surfaces/{id}@{revision}".
  // INVALID_VALUE for a malformed name, SURFACE_NOT_FOUND, REVISION_NOT_FOUND.
  absl::StatusOr<std::shared_ptr<const SharedCostSurface>> Open(std::string_view name) const;

  std::vector<std::shared_ptr<const SharedCostSurface>> List() const;  // by name
  absl::Status Delete(std::string_view name);                          // "surfaces/{id}"
  StoreUsage usage() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_STORE_H_
