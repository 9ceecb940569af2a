// From the error catalogue to what every gRPC client can read: code, message,
// and google.rpc details in the trailer "grpc-status-details-bin".
#ifndef TALWEG_SERVICE_STATUS_MAPPING_H_
#define TALWEG_SERVICE_STATUS_MAPPING_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace talweg::service {

// ErrorInfo always, BadRequest when a field is named, RetryInfo when there is
// a delay. Precondition: not OK.
google::rpc::Status StatusToProto(const absl::Status& status);

// The codes are the same numbers.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_STATUS_MAPPING_H_
