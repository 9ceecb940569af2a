// talweg serve: talwegd, with the same arguments.
#include "serve_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "talweg/base/errors.h"

namespace talweg::cli {
namespace {

std::string ServerProgram() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = self.parent_path() / "talwegd";
  return !error && std::filesystem::exists(beside, error) ? beside.string() : "talwegd";
}

}  // namespace

absl::Status ExecServer(const std::vector<std::string>& arguments) {
  const std::string program = ServerProgram();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(program.c_str(), argv.data());
  const std::string why = "talwegd cannot be started: " + std::string(std::strerror(errno));
  return MakeError(absl::StatusCode::kUnavailable, why,
                   {.reason = "SYSTEM_CALL",
                    .field = "",
                    .value = "",
                    .valid_range = "talwegd beside talweg or on PATH",
                    .retry_delay = std::nullopt});
}

void AddServeCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "serve", "Run a server: talwegd with the same arguments (talweg serve --help shows its own)");
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, &invocation] {
    invocation.run = [command]() -> absl::StatusOr<ExitCode> {
      return ExecServer(command->remaining());
    };
  });
}

}  // namespace talweg::cli
