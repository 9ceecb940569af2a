#include "talweg/client/client.h"

#include <utility>

#include "connection.h"
#include "field_crc.h"
#include "rpc_status.h"
#include "running_call.h"
#include "surface_upload.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/v1/path.grpc.pb.h"
#include "talweg/v1/server.grpc.pb.h"
#include "talweg/v1/surface.grpc.pb.h"

namespace talweg::client {
namespace {

// A long header comes in parts.
class HeaderParts {
 public:
  explicit HeaderParts(const AnswerHandlers& handlers) : handlers_(handlers) {}

  absl::Status Add(v1::AnswerHeader&& part) {
    const bool more = part.more();
    if (!started_) {
      header_ = std::move(part);
      started_ = true;
    } else {
      header_.MergeFrom(part);
    }
    if (more) return absl::OkStatus();
    header_.clear_more();
    return handlers_.on_header ? handlers_.on_header(std::exchange(header_, {})) : absl::OkStatus();
  }

 private:
  const AnswerHandlers& handlers_;
  v1::AnswerHeader header_;
  bool started_ = false;
};

void Report(const AnswerHandlers& handlers, const v1::Progress& progress) {
  if (handlers.on_progress) handlers.on_progress(progress);
}

absl::Status GivePairs(const AnswerHandlers& handlers, const v1::PairBlock& pairs) {
  return handlers.on_pairs ? handlers.on_pairs(pairs) : absl::OkStatus();
}

absl::Status CutShort() {
  return MakeError(absl::StatusCode::kUnavailable, "server: the answer ended before its summary",
                   {.reason = "ANSWER_CUT_SHORT",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

// Reads an answer to its end. `take` gets each message and returns why to stop.
template <class Response, class Take>
absl::Status ReadAnswer(RunningCall& call, grpc::ClientReader<Response>& reader, Take take) {
  Response response;
  while (reader.Read(&response)) {
    if (absl::Status taken = take(response); !taken.ok()) {
      call.context().TryCancel();
      while (reader.Read(&response)) {
      }
      reader.Finish();
      return taken;
    }
  }
  return FromGrpcStatus(reader.Finish());
}

}  // namespace

struct Client::Stubs {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::PathService::Stub> path;
  std::unique_ptr<v1::SurfaceService::Stub> surface;
  std::unique_ptr<v1::ServerService::Stub> server;
};

Client::Client(std::unique_ptr<Stubs> stubs) : stubs_(std::move(stubs)) {}
Client::~Client() = default;

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(const std::string& address,
                                                        const ConnectOptions& options) {
  auto stubs = std::make_unique<Stubs>();
  TALWEG_ASSIGN_OR_RETURN(stubs->channel, OpenChannel(address, options));
  stubs->path = v1::PathService::NewStub(stubs->channel);
  stubs->surface = v1::SurfaceService::NewStub(stubs->channel);
  stubs->server = v1::ServerService::NewStub(stubs->channel);
  return std::unique_ptr<Client>(new Client(std::move(stubs)));
}

absl::StatusOr<v1::Surface> Client::PutSurface(const PutSurfaceRequest& request,
                                               const CallOptions& options) {
  return SurfaceUpload(*stubs_->surface, request, options).Run();
}

absl::StatusOr<v1::Surface> Client::GetSurface(const std::string& name) {
  grpc::ClientContext context;
  v1::GetSurfaceRequest request;
  request.set_name(name);
  v1::Surface surface;
  TALWEG_RETURN_IF_ERROR(FromGrpcStatus(stubs_->surface->GetSurface(&context, request, &surface)));
  return surface;
}

absl::StatusOr<std::vector<v1::Surface>> Client::ListSurfaces() {
  grpc::ClientContext context;
  v1::ListSurfacesResponse response;
  TALWEG_RETURN_IF_ERROR(FromGrpcStatus(stubs_->surface->ListSurfaces(&context, {}, &response)));
  return std::vector<v1::Surface>(response.surfaces().begin(), response.surfaces().end());
}

absl::Status Client::DeleteSurface(const std::string& name) {
  grpc::ClientContext context;
  v1::DeleteSurfaceRequest request;
  request.set_name(name);
  v1::DeleteSurfaceResponse response;
  return FromGrpcStatus(stubs_->surface->DeleteSurface(&context, request, &response));
}

absl::StatusOr<v1::GetServerInfoResponse> Client::GetServerInfo() {
  grpc::ClientContext context;
  v1::GetServerInfoResponse response;
  TALWEG_RETURN_IF_ERROR(FromGrpcStatus(stubs_->server->GetServerInfo(&context, {}, &response)));
  return response;
}

absl::StatusOr<v1::AnswerSummary> Client::FindRoutes(const v1::FindRoutesRequest& request,
                                                     const AnswerHandlers& handlers,
                                                     const CallOptions& options) {
  RunningCall call(options);
  HeaderParts header(handlers);
  std::optional<v1::AnswerSummary> summary;
  const auto reader = stubs_->path->FindRoutes(&call.context(), request);
  const absl::Status read = ReadAnswer(call, *reader, [&](v1::FindRoutesResponse& response) {
    switch (response.message_case()) {
      case v1::FindRoutesResponse::kHeader:
        return header.Add(std::move(*response.mutable_header()));
      case v1::FindRoutesResponse::kRoutes:
        return GivePairs(handlers, response.routes());
      case v1::FindRoutesResponse::kProgress:
        Report(handlers, response.progress());
        break;
      case v1::FindRoutesResponse::kSummary:
        summary = response.summary();
        break;
      case v1::FindRoutesResponse::MESSAGE_NOT_SET:
        break;  // of a newer server
    }
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  if (!summary) return CutShort();
  return *std::move(summary);
}

absl::StatusOr<v1::AnswerSummary> Client::ComputeMatrix(const v1::ComputeMatrixRequest& request,
                                                        const AnswerHandlers& handlers,
                                                        const CallOptions& options) {
  RunningCall call(options);
  HeaderParts header(handlers);
  std::optional<v1::AnswerSummary> summary;
  const auto reader = stubs_->path->ComputeMatrix(&call.context(), request);
  const absl::Status read = ReadAnswer(call, *reader, [&](v1::ComputeMatrixResponse& response) {
    switch (response.message_case()) {
      case v1::ComputeMatrixResponse::kHeader:
        return header.Add(std::move(*response.mutable_header()));
      case v1::ComputeMatrixResponse::kPairs:
        return GivePairs(handlers, response.pairs());
      case v1::ComputeMatrixResponse::kProgress:
        Report(handlers, response.progress());
        break;
      case v1::ComputeMatrixResponse::kSummary:
        summary = response.summary();
        break;
      case v1::ComputeMatrixResponse::MESSAGE_NOT_SET:
        break;  // of a newer server
    }
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  if (!summary) return CutShort();
  return *std::move(summary);
}

absl::StatusOr<v1::FieldSummary> Client::ComputeCostField(
    const v1::ComputeCostFieldRequest& request, const AnswerHandlers& handlers,
    const CallOptions& options) {
  RunningCall call(options);
  HeaderParts header(handlers);
  std::optional<v1::FieldSummary> summary;
  const auto reader = stubs_->path->ComputeCostField(&call.context(), request);
  const absl::Status read = ReadAnswer(call, *reader, [&](v1::ComputeCostFieldResponse& response) {
    switch (response.message_case()) {
      case v1::ComputeCostFieldResponse::kHeader:
        return header.Add(std::move(*response.mutable_header()));
      case v1::ComputeCostFieldResponse::kBlock:
        TALWEG_RETURN_IF_ERROR(CheckFieldBlock(response.block()));
        return handlers.on_field_block ? handlers.on_field_block(response.block())
                                       : absl::OkStatus();
      case v1::ComputeCostFieldResponse::kProgress:
        Report(handlers, response.progress());
        break;
      case v1::ComputeCostFieldResponse::kSummary:
        summary = response.summary();
        break;
      case v1::ComputeCostFieldResponse::MESSAGE_NOT_SET:
        break;  // of a newer server
    }
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  if (!summary) return CutShort();
  return *std::move(summary);
}

}  // namespace talweg::client
