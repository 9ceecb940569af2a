#include "wire_status.h"

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace talweg::test {

WireStatus ReadWireStatus(const grpc::Status& status) {
  WireStatus wire{.code = status.error_code(), .message = status.error_message()};
  google::rpc::Status proto;
  if (!proto.ParseFromString(status.error_details())) return wire;
  for (const auto& detail : proto.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    google::rpc::RetryInfo retry;
    if (detail.UnpackTo(&info)) {
      wire.reason = info.reason();
      wire.domain = info.domain();
      wire.value = info.metadata().count("value") ? info.metadata().at("value") : "";
      wire.valid_range =
          info.metadata().count("valid_range") ? info.metadata().at("valid_range") : "";
    } else if (detail.UnpackTo(&bad_request) && bad_request.field_violations_size() == 1) {
      wire.field = bad_request.field_violations(0).field();
    } else if (detail.UnpackTo(&retry)) {
      wire.retry_delay_s =
          static_cast<double>(retry.retry_delay().seconds()) + 1e-9 * retry.retry_delay().nanos();
    }
  }
  return wire;
}

std::string Leak(const std::string& message) {
  for (const char* word : {"/tmp", "/proc", "/dev", "/usr", "/home", "fd ", "pid ", "0x"}) {
    if (message.find(word) != std::string::npos) return word;
  }
  return "";
}

}  // namespace talweg::test
