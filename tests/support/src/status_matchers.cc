#include "talweg/test/status_matchers.h"

namespace talweg::test {

std::string Describe(const absl::Status& status) {
  if (status.ok()) return "OK";
  const ErrorDetail detail = GetErrorDetail(status);
  return status.ToString() + " {reason " + detail.reason + ", field " + detail.field + ", value " +
         detail.value + "}";
}

}  // namespace talweg::test
