// The command line of talwegd.
#ifndef TALWEG_APP_OPTIONS_H_
#define TALWEG_APP_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "talweg/service/listen_address.h"

namespace talweg::app {

struct Options {
  std::vector<service::ListenAddress> listen;
  int workers = 0;  // >= 1 once parsed
  std::string worker_binary;
  uint64_t queue_length = 0;
  uint64_t max_requests = 0;
  absl::Duration drain_time;
  std::string log_level;
  int ready_fd = -1;     // -1: none
  int lifeline_fd = -1;  // -1: none
};

// Exit codes of talwegd.
inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFailure = 3;

// The options, or the exit code when there is nothing to serve: --help and
// --version (0, printed to stdout), wrong usage (2, said on stderr).
struct ParsedOptions {
  std::optional<Options> options;
  int exit_code = kExitOk;
};
ParsedOptions ParseOptions(int argc, const char* const* argv);

}  // namespace talweg::app

#endif  // TALWEG_APP_OPTIONS_H_
