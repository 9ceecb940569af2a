// A gRPC status read the way any foreign client reads it.
#ifndef TALWEG_TESTS_INTEGRATION_WIRE_STATUS_H_
#define TALWEG_TESTS_INTEGRATION_WIRE_STATUS_H_

#include <grpcpp/support/status.h>

#include <string>

namespace talweg::test {

struct WireStatus {
  grpc::StatusCode code = grpc::StatusCode::OK;
  std::string message = {};
  std::string reason = {};
  std::string domain = {};
  std::string field = {};
  std::string value = {};
  std::string valid_range = {};
  double retry_delay_s = -1;  // -1: none
};
WireStatus ReadWireStatus(const grpc::Status& status);

// Empty, or what of the host a message gives away: paths, descriptors, pids.
std::string Leak(const std::string& message);

}  // namespace talweg::test

#endif  // TALWEG_TESTS_INTEGRATION_WIRE_STATUS_H_
