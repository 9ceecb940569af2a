// What a run of the command ends with.
#ifndef TALWEG_CLI_EXIT_CODE_H_
#define TALWEG_CLI_EXIT_CODE_H_

#include "absl/status/status.h"

namespace talweg::cli {

enum class ExitCode : int {
  kDone = 0,           // whatever the outcomes of single pairs
  kNotAllOk = 1,       // with --strict
  kUsage = 2,          // wrong usage or unreadable input
  kServerFailure = 3,  // of the server, a worker or an output device
};

// The code of a failure.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_EXIT_CODE_H_
