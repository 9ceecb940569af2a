#include "exit_code.h"

namespace talweg::cli {

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kDone;
    // What the user asked for cannot be: the request, not the machinery.
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kPermissionDenied:
      return ExitCode::kUsage;
    default:
      return ExitCode::kServerFailure;
  }
}

}  // namespace talweg::cli
