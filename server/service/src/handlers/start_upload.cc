#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/fields.h"
#include "talweg/service/converters/surface.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status StartUpload(CallContext& call, const v1::StartUploadRequest& request,
                         v1::StartUploadResponse& response) {
  const ServiceLimits& limits = call.backend.limits;
  if (request.surface_id().empty()) {
    return MissingField("surface_id",
                        "1 to 63 of a-z, 0-9 and -, with neither the first nor the last a -");
  }
  TALWEG_RETURN_IF_ERROR(
      CheckLength("request_id", request.request_id(), limits.max_request_id_bytes));
  if (!request.has_description()) {
    return MissingField("description", "value_type, rows and cols at least");
  }
  store::StartUploadRequest upload;
  TALWEG_ASSIGN_OR_RETURN(upload.description,
                          SurfaceDescriptionFromProto(request.description(), limits));
  upload.surface_id = request.surface_id();
  upload.request_id = request.request_id();
  upload.create_only = request.create_only();
  TALWEG_ASSIGN_OR_RETURN(const store::UploadState state, call.backend.store.StartUpload(upload));
  response.set_upload_id(state.upload_id);
  response.set_committed_offset(state.committed_offset);
  response.set_size_bytes(state.size_bytes);
  return absl::OkStatus();
}

}  // namespace talweg::service
