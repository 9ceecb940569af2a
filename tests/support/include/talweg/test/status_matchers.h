// Matchers for statuses: EXPECT_THAT(F(), IsOk()), EXPECT_THAT(F(), HasReason("QUEUE_FULL")).
#ifndef TALWEG_TEST_STATUS_MATCHERS_H_
#define TALWEG_TEST_STATUS_MATCHERS_H_

#include <gmock/gmock.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/base/errors.h"

namespace talweg::test {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <class T>
const absl::Status& StatusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

// "OK" or code, message, reason, field, for failure messages.
std::string Describe(const absl::Status& status);

MATCHER(IsOk, "is OK") {
  *result_listener << Describe(StatusOf(arg));
  return StatusOf(arg).ok();
}
// The reason of the error catalogue.
MATCHER_P(HasReason, reason, "has reason " + std::string(reason)) {
  *result_listener << Describe(StatusOf(arg));
  return GetErrorDetail(StatusOf(arg)).reason == reason;
}
MATCHER_P(HasField, field, "names field " + std::string(field)) {
  *result_listener << Describe(StatusOf(arg));
  return GetErrorDetail(StatusOf(arg)).field == field;
}

}  // namespace talweg::test

#define TALWEG_TEST_CONCAT_INNER(a, b) a##b
#define TALWEG_TEST_CONCAT(a, b) TALWEG_TEST_CONCAT_INNER(a, b)
// ASSERT_OK_AND_ASSIGN(auto x, F()): x is the value, or the test ends here.
#define ASSERT_OK_AND_ASSIGN(declaration, expression)                            \
  auto TALWEG_TEST_CONCAT(status_or_, __LINE__) = (expression);                  \
  ASSERT_THAT(TALWEG_TEST_CONCAT(status_or_, __LINE__), ::talweg::test::IsOk()); \
  declaration = *std::move(TALWEG_TEST_CONCAT(status_or_, __LINE__))

#endif  // TALWEG_TEST_STATUS_MATCHERS_H_
