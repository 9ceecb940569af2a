// --help that fits a terminal.
#ifndef TALWEG_CLI_HELP_FORMAT_H_
#define TALWEG_CLI_HELP_FORMAT_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace talweg::cli {

// As CLI11's own, with descriptions broken between words.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace talweg::cli

#endif  // TALWEG_CLI_HELP_FORMAT_H_
