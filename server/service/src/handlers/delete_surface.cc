#include "talweg/base/errors.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status DeleteSurface(CallContext& call, const v1::DeleteSurfaceRequest& request,
                           v1::DeleteSurfaceResponse& /*response*/) {
  if (request.name().empty()) return MissingField("name", "\"surfaces/{id}\"");
  return call.backend.store.Delete(request.name());
}

}  // namespace talweg::service
