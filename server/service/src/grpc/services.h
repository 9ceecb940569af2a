// The gRPC services: the one list of which handler answers which RPC.
#ifndef TALWEG_SERVICE_SERVICES_H_
#define TALWEG_SERVICE_SERVICES_H_

#include <grpcpp/impl/service_type.h>

#include <memory>
#include <string>
#include <vector>

#include "bridge.h"

namespace talweg::service {

// All services over `bridge`, which must outlive them.
std::vector<std::unique_ptr<grpc::Service>> MakeServices(BridgeState& bridge);

// Their full names, for health.
std::vector<std::string> ServiceNames();

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_SERVICES_H_
