#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/surface.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status GetSurface(CallContext& call, const v1::GetSurfaceRequest& request,
                        v1::Surface& response) {
  if (request.name().empty()) {
    return MissingField("name", "\"surfaces/{id}\" or \"surfaces/{id}@{revision}\"");
  }
  TALWEG_ASSIGN_OR_RETURN(const auto surface, call.backend.store.Open(request.name()));
  response = SurfaceToProto(*surface);
  return absl::OkStatus();
}

}  // namespace talweg::service
