// talweg: least-cost paths on raster cost surfaces, from the command line.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "exit_code.h"
#include "help_format.h"
#include "interrupt.h"
#include "near_miss.h"
#include "reporter.h"
#include "serve_command.h"

namespace talweg::cli {
namespace {

constexpr int kFirstSignalCode = 128;  // as shells report a death by signal

// The sub-command that was named, as deep as it goes.
const CLI::App& DeepestCommand(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : DeepestCommand(*parsed.front());
}

std::vector<std::string> LongOptions(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

// What a wrong command line is told.
std::string UsageMessage(const CLI::App& app, const CLI::ParseError& error,
                         const std::vector<std::string>& arguments) {
  const CLI::App& command = DeepestCommand(app);
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && message.back() == ' ') message.pop_back();
  if (error.get_name() == "ArgumentMismatch") {
    message = message.substr(0, message.find(':')) + " needs a value";
  }
  const std::vector<std::string> known = LongOptions(command);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::count(known.begin(), known.end(), name) != 0) continue;
    message = "unknown option " + name;
    if (const auto guess = NearMiss(name, known)) message += "; did you mean " + *guess + "?";
    break;
  }
  if (&command == &app && !arguments.empty() && !arguments.front().starts_with("-")) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(sub->get_name());
    }
    message = "unknown command " + arguments.front();
    if (const auto guess = NearMiss(arguments.front(), names)) {
      message += "; did you mean " + *guess + "?";
    }
  }
  std::string name = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent != nullptr;
       parent = parent->get_parent()) {
    name = parent->get_name() + " " + name;
  }
  return message + " (see " + name + " --help)";
}

void AddCommands(CLI::App& app, Invocation& invocation) {
  app.add_option("--server", invocation.global.server,
                 "Server to ask: host:port or unix:PATH (default: a private one for this run)")
      ->option_text("ADDR")
      ->envname("TALWEG_SERVER");
  app.require_subcommand(1);
  app.fallthrough();
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "Exit codes: 0 done, 1 with --strict when some outcome is not ok, 2 wrong usage or\n"
      "unreadable input, 3 failure of server or worker. Messages go to stderr, data to stdout\n"
      "or files. `talweg COMMAND --help` shows the options of a command.\n"
      "Example:\n  talweg matrix friction.tif --pois points.csv --out costs.csv");
  AddMatrixCommand(app, invocation);
  AddRouteCommand(app, invocation);
  AddFieldCommand(app, invocation);
  AddSurfaceCommand(app, invocation);
  AddServeCommand(app, invocation);
  AddVersionCommand(app, invocation);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->fallthrough();
  }
}

int Finish(const absl::StatusOr<ExitCode>& result) {
  if (Interrupted()) {
    PrintError("interrupted");
    return kFirstSignalCode + InterruptSignal();
  }
  if (!result.ok()) {
    PrintError(std::string(result.status().message()));
    return static_cast<int>(ExitCodeOf(result.status()));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    PrintError("stdout cannot be written");
    return static_cast<int>(ExitCode::kServerFailure);
  }
  return static_cast<int>(*result);
}

int Main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  // Everything after `serve` is talwegd's, --help included.
  if (!arguments.empty() && arguments.front() == "serve") {
    arguments.erase(arguments.begin());
    return Finish(ExecServer(arguments));
  }
  CLI::App app("Least-cost paths on raster cost surfaces.", "talweg");
  Invocation invocation;
  AddCommands(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    PrintError(UsageMessage(app, error, arguments));
    return static_cast<int>(ExitCode::kUsage);
  }
  WatchInterrupts();
  return Finish(invocation.run());
}

}  // namespace
}  // namespace talweg::cli

int main(int argc, char** argv) { return talweg::cli::Main(argc, argv); }
