// The one pair of macros of the project: early return on a failed status.
#ifndef TALWEG_BASE_STATUS_MACROS_H_
#define TALWEG_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Evaluates `expression` (an absl::Status) and returns it when it is not OK.
#define TALWEG_RETURN_IF_ERROR(expression)                                                    \
  do {                                                                                        \
    if (absl::Status talweg_status = (expression); !talweg_status.ok()) return talweg_status; \
  } while (false)

#define TALWEG_STATUS_CONCAT_INNER(a, b) a##b
#define TALWEG_STATUS_CONCAT(a, b) TALWEG_STATUS_CONCAT_INNER(a, b)

// TALWEG_ASSIGN_OR_RETURN(auto x, F()): x is the value of F(), or the status
// of F() is returned.
#define TALWEG_ASSIGN_OR_RETURN(declaration, expression)                                       \
  TALWEG_ASSIGN_OR_RETURN_INNER(TALWEG_STATUS_CONCAT(talweg_statusor_, __LINE__), declaration, \
                                expression)
#define TALWEG_ASSIGN_OR_RETURN_INNER(temporary, declaration, expression) \
  auto temporary = (expression);                                          \
  if (!temporary.ok()) return std::move(temporary).status();              \
  declaration = *std::move(temporary)

#endif  // TALWEG_BASE_STATUS_MACROS_H_
