#include "talweg/service/status_mapping.h"

#include <string>

#include "google/rpc/error_details.pb.h"
#include "talweg/base/errors.h"

namespace talweg::service {
namespace {

constexpr char kDomain[] = "talweg";

google::rpc::ErrorInfo ErrorInfoOf(const ErrorDetail& detail) {
  google::rpc::ErrorInfo info;
  info.set_reason(detail.reason.empty() ? "UNSPECIFIED" : detail.reason);
  info.set_domain(kDomain);
  if (!detail.value.empty()) (*info.mutable_metadata())["value"] = detail.value;
  if (!detail.valid_range.empty()) {
    (*info.mutable_metadata())["valid_range"] = detail.valid_range;
  }
  return info;
}

google::rpc::BadRequest BadRequestOf(const ErrorDetail& detail, const std::string& message) {
  google::rpc::BadRequest bad_request;
  auto& violation = *bad_request.add_field_violations();
  violation.set_field(detail.field);
  violation.set_description(message);
  return bad_request;
}

google::rpc::RetryInfo RetryInfoOf(absl::Duration delay) {
  google::rpc::RetryInfo retry;
  absl::Duration rest;
  retry.mutable_retry_delay()->set_seconds(absl::IDivDuration(delay, absl::Seconds(1), &rest));
  retry.mutable_retry_delay()->set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(rest)));
  return retry;
}

}  // namespace

google::rpc::Status StatusToProto(const absl::Status& status) {
  const ErrorDetail detail = GetErrorDetail(status);
  const std::string message(status.message());
  google::rpc::Status proto;
  proto.set_code(static_cast<int>(status.code()));
  proto.set_message(message);
  proto.add_details()->PackFrom(ErrorInfoOf(detail));
  if (!detail.field.empty()) proto.add_details()->PackFrom(BadRequestOf(detail, message));
  if (detail.retry_delay) proto.add_details()->PackFrom(RetryInfoOf(*detail.retry_delay));
  return proto;
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()),
                      StatusToProto(status).SerializeAsString());
}

}  // namespace talweg::service
