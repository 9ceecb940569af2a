#include "services.h"

#include "talweg/service/handlers.h"
#include "talweg/v1/path.grpc.pb.h"
#include "talweg/v1/server.grpc.pb.h"
#include "talweg/v1/surface.grpc.pb.h"

namespace talweg::service {
namespace {

using Context = grpc::CallbackServerContext;

// Handlers that wait, copy much or compute: on the executor, counted.
template <class Request, class Response>
grpc::ServerUnaryReactor* Unary(BridgeState& bridge, Context* context, const Request* request,
                                Response* response,
                                typename UnaryCall<Request, Response>::Handler handler) {
  auto* call = new UnaryCall<Request, Response>(bridge, *context);  // deletes itself when done
  call->Start(handler, *request, *response);
  return call;
}

// Look-ups: answered at once, also while the server is full.
template <class Request, class Response>
grpc::ServerUnaryReactor* Lookup(BridgeState& bridge, Context* context, const Request* request,
                                 Response* response,
                                 typename UnaryCall<Request, Response>::Handler handler) {
  auto* call = new UnaryCall<Request, Response>(bridge, *context);
  call->RunHere(handler, *request, *response);
  return call;
}

template <class Request, class Response>
grpc::ServerWriteReactor<Response>* Answers(BridgeState& bridge, Context* context,
                                            const Request* request,
                                            absl::Status (*handler)(CallContext&, const Request&,
                                                                    StreamWriter<Response>&)) {
  auto* call = new ServerStreamCall<Request, Response>(bridge, *context);
  call->Start(handler, *request);
  return call;
}

template <class Request, class Response>
grpc::ServerReadReactor<Request>* Requests(
    BridgeState& bridge, Context* context, Response* response,
    absl::Status (*handler)(CallContext&, StreamReader<Request>&, Response&)) {
  auto* call = new ClientStreamCall<Request, Response>(bridge, *context);
  call->Start(handler, *response);
  return call;
}

class PathServiceAdapter final : public v1::PathService::CallbackService {
 public:
  explicit PathServiceAdapter(BridgeState& bridge) : bridge_(bridge) {}

  grpc::ServerWriteReactor<v1::FindRoutesResponse>* FindRoutes(
      Context* context, const v1::FindRoutesRequest* request) override {
    return Answers(bridge_, context, request, &service::FindRoutes);
  }
  grpc::ServerWriteReactor<v1::ComputeMatrixResponse>* ComputeMatrix(
      Context* context, const v1::ComputeMatrixRequest* request) override {
    return Answers(bridge_, context, request, &service::ComputeMatrix);
  }
  grpc::ServerWriteReactor<v1::ComputeCostFieldResponse>* ComputeCostField(
      Context* context, const v1::ComputeCostFieldRequest* request) override {
    return Answers(bridge_, context, request, &service::ComputeCostField);
  }

 private:
  BridgeState& bridge_;
};

class SurfaceServiceAdapter final : public v1::SurfaceService::CallbackService {
 public:
  explicit SurfaceServiceAdapter(BridgeState& bridge) : bridge_(bridge) {}

  grpc::ServerUnaryReactor* StartUpload(Context* context, const v1::StartUploadRequest* request,
                                        v1::StartUploadResponse* response) override {
    return Unary(bridge_, context, request, response, &service::StartUpload);
  }
  grpc::ServerReadReactor<v1::WriteUploadRequest>* WriteUpload(
      Context* context, v1::WriteUploadResponse* response) override {
    return Requests(bridge_, context, response, &service::WriteUpload);
  }
  grpc::ServerUnaryReactor* QueryUpload(Context* context, const v1::QueryUploadRequest* request,
                                        v1::QueryUploadResponse* response) override {
    return Lookup(bridge_, context, request, response, &service::QueryUpload);
  }
  grpc::ServerUnaryReactor* FinishUpload(Context* context, const v1::FinishUploadRequest* request,
                                         v1::Surface* response) override {
    return Unary(bridge_, context, request, response, &service::FinishUpload);
  }
  grpc::ServerUnaryReactor* GetSurface(Context* context, const v1::GetSurfaceRequest* request,
                                       v1::Surface* response) override {
    return Lookup(bridge_, context, request, response, &service::GetSurface);
  }
  grpc::ServerUnaryReactor* ListSurfaces(Context* context, const v1::ListSurfacesRequest* request,
                                         v1::ListSurfacesResponse* response) override {
    return Lookup(bridge_, context, request, response, &service::ListSurfaces);
  }
  grpc::ServerUnaryReactor* DeleteSurface(Context* context, const v1::DeleteSurfaceRequest* request,
                                          v1::DeleteSurfaceResponse* response) override {
    return Unary(bridge_, context, request, response, &service::DeleteSurface);
  }

 private:
  BridgeState& bridge_;
};

class ServerServiceAdapter final : public v1::ServerService::CallbackService {
 public:
  explicit ServerServiceAdapter(BridgeState& bridge) : bridge_(bridge) {}

  grpc::ServerUnaryReactor* GetServerInfo(Context* context, const v1::GetServerInfoRequest* request,
                                          v1::GetServerInfoResponse* response) override {
    return Lookup(bridge_, context, request, response, &service::GetServerInfo);
  }

 private:
  BridgeState& bridge_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> MakeServices(BridgeState& bridge) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(std::make_unique<PathServiceAdapter>(bridge));
  services.push_back(std::make_unique<SurfaceServiceAdapter>(bridge));
  services.push_back(std::make_unique<ServerServiceAdapter>(bridge));
  return services;
}

std::vector<std::string> ServiceNames() {
  return {v1::PathService::service_full_name(), v1::SurfaceService::service_full_name(),
          v1::ServerService::service_full_name()};
}

}  // namespace talweg::service
