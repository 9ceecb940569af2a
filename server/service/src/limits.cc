#include "talweg/service/limits.h"

#include <string>

#include "talweg/base/errors.h"
#include "talweg/grid/shape.h"

namespace talweg::service {

std::vector<NamedLimit> ListLimits(const ServiceLimits& limits) {
  return {
      {"max_message_bytes", limits.max_message_bytes, "bytes"},
      {"max_chunk_bytes", limits.max_chunk_bytes, "bytes"},
      {"max_requests", limits.max_requests, "requests"},
      {"max_queued_tasks", limits.max_queued_tasks, "tasks"},
      {"max_surfaces", limits.max_surfaces, "surfaces"},
      {"max_open_uploads", limits.max_open_uploads, "uploads"},
      {"max_padded_cells", static_cast<uint64_t>(kMaxPaddedCells), "cells"},
      {"max_points", limits.max_points, "points"},
      {"max_pairs", limits.max_pairs, "pairs"},
      {"max_routes", limits.max_routes, "pairs"},
      {"max_path_steps", limits.max_path_steps, "steps"},
      {"max_reorder_bytes", limits.max_reorder_bytes, "bytes"},
      {"max_snap_radius_cells", limits.max_snap_radius_cells, "cells"},
      {"max_snap_cells", limits.max_snap_cells, "cells"},
      {"max_values", limits.max_values, "values"},
      {"max_point_id_bytes", limits.max_point_id_bytes, "bytes"},
      {"max_request_id_bytes", limits.max_request_id_bytes, "bytes"},
      {"max_labels", limits.max_labels, "labels"},
      {"max_labels_bytes", limits.max_labels_bytes, "bytes"},
      {"max_crs_wkt_bytes", limits.max_crs_wkt_bytes, "bytes"},
      {"max_crs_name_bytes", limits.max_crs_name_bytes, "bytes"},
      {"max_stall", static_cast<uint64_t>(absl::ToInt64Seconds(limits.max_stall)), "seconds"},
  };
}

absl::Status CheckLimit(std::string_view limit, uint64_t value, uint64_t maximum) {
  if (value <= maximum) return absl::OkStatus();
  return LimitExceeded(limit, std::to_string(value), std::to_string(maximum));
}

}  // namespace talweg::service
