#include "rpc_status.h"

#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "talweg/base/errors.h"

namespace talweg::client {
namespace {

std::string MetadataOf(const google::rpc::ErrorInfo& info, const std::string& key) {
  const auto found = info.metadata().find(key);
  return found == info.metadata().end() ? std::string() : found->second;
}

ErrorDetail DetailOf(const google::rpc::Status& proto) {
  ErrorDetail detail;
  for (const auto& any : proto.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    google::rpc::RetryInfo retry;
    if (any.UnpackTo(&info)) {
      detail.reason = info.reason();
      detail.value = MetadataOf(info, "value");
      detail.valid_range = MetadataOf(info, "valid_range");
    } else if (any.UnpackTo(&bad_request)) {
      if (bad_request.field_violations_size() > 0) {
        detail.field = bad_request.field_violations(0).field();
      }
    } else if (any.UnpackTo(&retry)) {
      detail.retry_delay = absl::Seconds(retry.retry_delay().seconds()) +
                           absl::Nanoseconds(retry.retry_delay().nanos());
    }
  }
  return detail;
}

}  // namespace

absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  ErrorDetail detail;
  google::rpc::Status proto;
  if (proto.ParseFromString(status.error_details())) detail = DetailOf(proto);
  return MakeError(static_cast<absl::StatusCode>(status.error_code()), status.error_message(),
                   detail);
}

}  // namespace talweg::client
