#include "help_format.h"

#include <sstream>

namespace talweg::cli {
namespace {

constexpr size_t kLineWidth = 96;
constexpr size_t kNameWidth = 30;

// "  NAME    DESCRIPTION", the description in a column of its own.
std::string Entry(const std::string& name, const std::string& description) {
  std::string text = "  " + name;
  size_t column = text.size();
  if (column + 2 > kNameWidth) {
    text += "\n";
    column = 0;
  }
  text += std::string(kNameWidth - column, ' ');
  column = kNameWidth;
  std::istringstream words(description);
  for (std::string word; words >> word;) {
    if (column > kNameWidth && column + 1 + word.size() > kLineWidth) {
      text += "\n" + std::string(kNameWidth, ' ');
      column = kNameWidth;
    }
    if (column > kNameWidth) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

}  // namespace

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  std::string text = "\n" + group + ":\n";
  for (const CLI::Option* option : options) text += make_option(option, is_positional);
  return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = make_option_name(option, is_positional);
  // A positional is its own name; nothing else is to be said of its kind.
  if (!is_positional) name += make_option_opts(option);
  return Entry(name, make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return Entry(command->get_name(), command->get_description());
}

}  // namespace talweg::cli
