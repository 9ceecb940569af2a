// Every bound of the service, in one place; all are finite and listed by
// GetServerInfo. Requests beyond one fail with LIMIT_EXCEEDED, which names
// limit, value and maximum.
#ifndef TALWEG_SERVICE_LIMITS_H_
#define TALWEG_SERVICE_LIMITS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace talweg::service {

struct ServiceLimits {
  uint64_t max_message_bytes = 4 * 1024 * 1024;  // one gRPC message, received
  uint64_t max_chunk_bytes = 2 * 1024 * 1024;    // data of one WriteUploadRequest
  uint64_t max_requests = 128;                   // under way at once
  uint64_t max_queued_tasks = 10'000;            // waiting for a worker
  uint64_t max_surfaces = 1000;                  // stored
  uint64_t max_open_uploads = 64;
  uint64_t max_points = 100'000;              // of one list
  uint64_t max_pairs = 10'000'000;            // sources x destinations of a matrix
  uint64_t max_routes = 1'000'000;            // pairs of FindRoutes
  uint64_t max_path_steps = 3 * 1024 * 1024;  // of one path: it must fit a message
  uint64_t max_reorder_bytes = 1ULL << 30;    // routes that wait for their turn
  uint64_t max_snap_radius_cells = 1000;
  uint64_t max_snap_cells = 10'000'000'000;  // points x cells within the radius
  uint64_t max_values = 256;                 // of a nodata or barrier list
  uint64_t max_point_id_bytes = 256;
  uint64_t max_request_id_bytes = 128;
  uint64_t max_labels = 64;
  uint64_t max_labels_bytes = 4096;  // keys and values together
  uint64_t max_crs_wkt_bytes = 64 * 1024;
  uint64_t max_crs_name_bytes = 1024;
  // A client that takes no message (or sends none in an upload) for this long
  // is given up.
  absl::Duration max_stall = absl::Seconds(60);
};

// Blocks of answers stay below this, so that a message with its frame is far
// from max_message_bytes.
inline constexpr uint64_t kBlockBytes = 1024 * 1024;

struct NamedLimit {
  std::string_view name;
  uint64_t maximum;
  std::string_view unit;
};

// All of them, for GetServerInfo.
std::vector<NamedLimit> ListLimits(const ServiceLimits& limits);

// LIMIT_EXCEEDED when `value` > `maximum`; `limit` is the name in ServiceLimits.
absl::Status CheckLimit(std::string_view limit, uint64_t value, uint64_t maximum);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_LIMITS_H_
