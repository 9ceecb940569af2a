// One free function per RPC, one file each in src/handlers. They block, see no
// gRPC, and can be called without a socket; src/grpc/services.cc lists them.
// Errors are those of the protos' comments.
#ifndef TALWEG_SERVICE_HANDLERS_H_
#define TALWEG_SERVICE_HANDLERS_H_

#include "absl/status/status.h"
#include "talweg/service/call_context.h"
#include "talweg/service/streams.h"
#include "talweg/v1/path.pb.h"
#include "talweg/v1/server.pb.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::service {

// ---- PathService ------------------------------------------------------------

absl::Status FindRoutes(CallContext& call, const v1::FindRoutesRequest& request,
                        StreamWriter<v1::FindRoutesResponse>& writer);
absl::Status ComputeMatrix(CallContext& call, const v1::ComputeMatrixRequest& request,
                           StreamWriter<v1::ComputeMatrixResponse>& writer);
absl::Status ComputeCostField(CallContext& call, const v1::ComputeCostFieldRequest& request,
                              StreamWriter<v1::ComputeCostFieldResponse>& writer);

// ---- SurfaceService ---------------------------------------------------------

absl::Status StartUpload(CallContext& call, const v1::StartUploadRequest& request,
                         v1::StartUploadResponse& response);
absl::Status WriteUpload(CallContext& call, StreamReader<v1::WriteUploadRequest>& reader,
                         v1::WriteUploadResponse& response);
absl::Status QueryUpload(CallContext& call, const v1::QueryUploadRequest& request,
                         v1::QueryUploadResponse& response);
absl::Status FinishUpload(CallContext& call, const v1::FinishUploadRequest& request,
                          v1::Surface& response);
absl::Status GetSurface(CallContext& call, const v1::GetSurfaceRequest& request,
                        v1::Surface& response);
absl::Status ListSurfaces(CallContext& call, const v1::ListSurfacesRequest& request,
                          v1::ListSurfacesResponse& response);
absl::Status DeleteSurface(CallContext& call, const v1::DeleteSurfaceRequest& request,
                           v1::DeleteSurfaceResponse& response);

// ---- ServerService ----------------------------------------------------------

absl::Status GetServerInfo(CallContext& call, const v1::GetServerInfoRequest& request,
                           v1::GetServerInfoResponse& response);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_HANDLERS_H_
