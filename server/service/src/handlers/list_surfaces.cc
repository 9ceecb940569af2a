#include "talweg/service/converters/surface.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status ListSurfaces(CallContext& call, const v1::ListSurfacesRequest& /*request*/,
                          v1::ListSurfacesResponse& response) {
  for (const auto& surface : call.backend.store.List()) {
    v1::Surface& listed = *response.add_surfaces();
    listed = SurfaceToProto(*surface);
    // A thousand of them would not fit one message.
    listed.mutable_description()->mutable_crs()->clear_wkt();
  }
  return absl::OkStatus();
}

}  // namespace talweg::service
