#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/handlers.h"

namespace talweg::service {

absl::Status QueryUpload(CallContext& call, const v1::QueryUploadRequest& request,
                         v1::QueryUploadResponse& response) {
  if (request.upload_id().empty()) {
    return MissingField("upload_id", "an id returned by StartUpload");
  }
  TALWEG_ASSIGN_OR_RETURN(const store::UploadState state,
                          call.backend.store.QueryUpload(request.upload_id()));
  response.set_committed_offset(state.committed_offset);
  response.set_size_bytes(state.size_bytes);
  return absl::OkStatus();
}

}  // namespace talweg::service
