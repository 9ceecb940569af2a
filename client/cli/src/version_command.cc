// talweg version: of this program, and of a server when one is named.
#include <cstdio>
#include <memory>

#include "command.h"
#include "talweg/base/status_macros.h"
#include "talweg/base/version.h"
#include "talweg/client/client.h"
#include "talweg/formats/provenance.h"

namespace talweg::cli {
namespace {

using formats::Json;

absl::StatusOr<ExitCode> RunVersion(const GlobalOptions& global, bool as_json) {
  Json json{{"version", std::string(Version())}, {"api", "talweg.v1"}};
  std::string text = "talweg " + std::string(Version()) + "\n";
  if (!global.server.empty()) {
    TALWEG_ASSIGN_OR_RETURN(const auto client, client::Client::Connect(global.server));
    TALWEG_ASSIGN_OR_RETURN(const v1::GetServerInfoResponse info, client->GetServerInfo());
    json["server"] = {{"version", info.version()},
                      {"workers", info.workers()},
                      {"usable_workers", info.usable_workers()}};
    text += "server " + info.version() + " with " + std::to_string(info.workers()) +
            " workers, at " + global.server + "\n";
  }
  if (as_json) text = json.dump(2) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::kDone;
}

}  // namespace

void AddVersionCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("version", "The version of this program, and of a server if one is named");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print JSON on stdout");
  command->footer("Example:\n  talweg version --json");
  command->callback([as_json, &invocation] {
    invocation.run = [as_json, &invocation] { return RunVersion(invocation.global, *as_json); };
  });
}

}  // namespace talweg::cli
