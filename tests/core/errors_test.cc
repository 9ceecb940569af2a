#include "talweg/base/errors.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "talweg/base/checked_math.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

TEST(Errors, CarryReasonFieldValueAndRange) {
  const absl::Status status = InvalidValue("recipe.limits.max_cost", -1.5, "a number >= 0");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const ErrorDetail detail = GetErrorDetail(status);
  EXPECT_EQ(detail.reason, "INVALID_VALUE");
  EXPECT_EQ(detail.field, "recipe.limits.max_cost");
  EXPECT_EQ(detail.value, "-1.5");
  EXPECT_EQ(detail.valid_range, "a number >= 0");
  EXPECT_EQ(status.message(),
            "recipe.limits.max_cost: \"-1.5\" is not valid; expected a number >= 0");
}

TEST(Errors, QuoteOutsideTextShortAndPrintable) {
  const absl::Status status = SurfaceNotFound("a\nb\x01" + std::string(5000, 'x'));
  EXPECT_LT(status.message().size(), 300u);
  EXPECT_EQ(status.message().find('\n'), absl::string_view::npos);
  EXPECT_LT(GetErrorDetail(status).value.size(), 200u);
}

TEST(Errors, KeepTheirDetailUnderContext) {
  const absl::Status status =
      PrependField(PrependContext(QueueFull(7, 7, absl::Milliseconds(250)), "matrix"), "request");
  const ErrorDetail detail = GetErrorDetail(status);
  EXPECT_EQ(detail.reason, "QUEUE_FULL");
  EXPECT_EQ(detail.field, "request.queue_length");
  ASSERT_TRUE(detail.retry_delay.has_value());
  EXPECT_EQ(*detail.retry_delay, absl::Milliseconds(250));
}

TEST(Errors, AFieldPrefixShowsInTheMessage) {
  const absl::Status status = PrependField(MissingField("cell", "row and col"), "sources[3]");
  EXPECT_EQ(status.message(), "sources[3].cell: is missing; expected row and col");
}

TEST(Errors, RunningOutOfSomethingIsResourceExhausted) {
  EXPECT_EQ(SystemCallFailed("memfd_create", EMFILE).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(SystemCallFailed("memfd_create", EPERM).code(), absl::StatusCode::kInternal);
}

TEST(Errors, NumbersReadBackAsTheyWere) {
  for (const double value : {0.1, 1e300, 2.0, 1.0 / 3}) {
    EXPECT_EQ(std::stod(FormatNumber(value)), value);
  }
}

TEST(CheckedMath, NoticesOverflow) {
  EXPECT_FALSE(CheckedMultiply<uint64_t>(uint64_t{1} << 33, uint64_t{1} << 31).has_value());
  EXPECT_EQ(CheckedMultiply<uint64_t>(3, 5), 15u);
  EXPECT_FALSE(CheckedAdd<int64_t>(INT64_MAX, 1).has_value());
}

}  // namespace
}  // namespace talweg::test
