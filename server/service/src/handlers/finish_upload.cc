#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/surface.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status FinishUpload(CallContext& call, const v1::FinishUploadRequest& request,
                          v1::Surface& response) {
  if (request.upload_id().empty()) {
    return MissingField("upload_id", "an id returned by StartUpload");
  }
  TALWEG_ASSIGN_OR_RETURN(const store::UploadChecksum checksum, ChecksumFromProto(request));
  TALWEG_ASSIGN_OR_RETURN(const auto surface,
                          call.backend.store.FinishUpload(request.upload_id(), checksum));
  response = SurfaceToProto(*surface);
  return absl::OkStatus();
}

}  // namespace talweg::service
