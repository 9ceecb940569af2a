// What a server said went wrong, as it said it.
#ifndef TALWEG_CLIENT_RPC_STATUS_H_
#define TALWEG_CLIENT_RPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace talweg::client {

// The absl::Status with the details (reason, field, value, valid range, retry
// delay) of the trailer "grpc-status-details-bin", as far as they are there.
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_RPC_STATUS_H_
