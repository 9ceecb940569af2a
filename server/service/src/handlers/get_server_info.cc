#include <string>

#include "talweg/base/version.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status GetServerInfo(CallContext& call, const v1::GetServerInfoRequest& /*request*/,
                           v1::GetServerInfoResponse& response) {
  response.set_version(std::string(Version()));
  const workers::PoolStatus pool = call.backend.pool.status();
  response.set_workers(pool.workers);
  response.set_usable_workers(pool.usable_workers);
  response.set_durable(false);
  for (const NamedLimit& limit : ListLimits(call.backend.limits)) {
    v1::ServerLimit& listed = *response.add_limits();
    listed.set_name(std::string(limit.name));
    listed.set_maximum(limit.maximum);
    listed.set_unit(std::string(limit.unit));
  }
  const store::StoreUsage usage = call.backend.store.usage();
  response.set_surfaces(usage.surfaces);
  response.set_surface_bytes(usage.surface_bytes);
  response.set_queued_tasks(pool.queued_tasks);
  response.set_running_tasks(pool.running_tasks);
  response.set_worker_crashes(pool.crashes);
  response.set_retried_tasks(pool.retried_tasks);
  response.set_settled_cells(pool.settled_cells);
  return absl::OkStatus();
}

}  // namespace talweg::service
