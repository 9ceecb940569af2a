// How sub-commands are added and run.
#ifndef TALWEG_CLI_COMMAND_H_
#define TALWEG_CLI_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "exit_code.h"

namespace talweg::cli {

struct GlobalOptions {
  std::string server;  // "host:port" or "unix:PATH"; empty: a private one
};

// What the command line came to: filled in by the sub-command that was named,
// run when the whole line was understood.
struct Invocation {
  GlobalOptions global;
  std::function<absl::StatusOr<ExitCode>()> run;
};

// One per sub-command, each in a file of its own. `invocation` outlives parsing.
void AddMatrixCommand(CLI::App& app, Invocation& invocation);
void AddRouteCommand(CLI::App& app, Invocation& invocation);
void AddFieldCommand(CLI::App& app, Invocation& invocation);
void AddSurfaceCommand(CLI::App& app, Invocation& invocation);
void AddServeCommand(CLI::App& app, Invocation& invocation);
void AddVersionCommand(CLI::App& app, Invocation& invocation);

// An option that may be given many times, one value each: it never takes the
// argument that follows its value.
CLI::Option* AddRepeatable(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                           const std::string& description);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_COMMAND_H_
