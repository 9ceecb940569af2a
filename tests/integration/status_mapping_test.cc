// The error catalogue on the wire and back.
#include "talweg/service/status_mapping.h"

#include <gtest/gtest.h>

#include "talweg/base/errors.h"
#include "wire_status.h"

namespace talweg::service {
namespace {

TEST(StatusMapping, CodeMessageAndDetailsTravel) {
  const absl::Status status = InvalidValue("recipe.limits.max_cost", -1.0, "a number >= 0");
  const test::WireStatus wire = test::ReadWireStatus(ToGrpcStatus(status));
  EXPECT_EQ(wire.code, grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(wire.message, std::string(status.message()));
  EXPECT_EQ(wire.domain, "talweg");
  EXPECT_EQ(wire.reason, "INVALID_VALUE");
  EXPECT_EQ(wire.field, "recipe.limits.max_cost");
  EXPECT_EQ(wire.value, "-1");
  EXPECT_EQ(wire.valid_range, "a number >= 0");
  EXPECT_LT(wire.retry_delay_s, 0);
}

TEST(StatusMapping, ADelayBecomesRetryInfo) {
  const test::WireStatus wire =
      test::ReadWireStatus(ToGrpcStatus(QueueFull(7, 7, absl::Milliseconds(1500))));
  EXPECT_EQ(wire.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_DOUBLE_EQ(wire.retry_delay_s, 1.5);
}

TEST(StatusMapping, AStatusWithoutDetailsStillHasAnErrorInfo) {
  const test::WireStatus wire =
      test::ReadWireStatus(ToGrpcStatus(absl::InternalError("no more is known")));
  EXPECT_EQ(wire.reason, "UNSPECIFIED");
  EXPECT_EQ(wire.field, "");
}

TEST(StatusMapping, OkIsOk) { EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok()); }

}  // namespace
}  // namespace talweg::service
