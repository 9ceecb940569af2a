#ifndef TALWEG_CLI_SERVE_COMMAND_H_
#define TALWEG_CLI_SERVE_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace talweg::cli {

// Becomes talwegd. Returns only when that fails: UNAVAILABLE.
absl::Status ExecServer(const std::vector<std::string>& arguments);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_SERVE_COMMAND_H_
