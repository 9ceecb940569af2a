// Everything the command says beside its data: on stderr, and never more than
// is useful.
#ifndef TALWEG_CLI_REPORTER_H_
#define TALWEG_CLI_REPORTER_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace talweg::cli {

enum class Volume { kNormal, kQuiet };
enum class ProgressChoice { kOnTerminal, kAlways, kNever };

class Reporter {
 public:
  Reporter(Volume volume, ProgressChoice progress);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  // A whole sentence; the same one is said once. Kept for JSON answers even
  // when nothing is printed.
  void Warn(std::string_view sentence);
  const std::vector<std::string>& warnings() const { return warnings_; }

  // On a terminal only: what a script would not want to read.
  void Note(std::string_view sentence);

  // How far a phase is: `done` of `total`, e.g. ("search", 12, 400, "pairs").
  // Shown when the command has been running for half a second; total 0 shows
  // the count alone.
  void Progress(std::string_view phase, double done, double total, std::string_view unit);

  // Removes the bar, so that what is printed next stands alone.
  void ClearProgress();

 private:
  Volume volume_;
  bool is_terminal_;
  bool shows_progress_;
  bool bar_visible_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_drawn_;
  std::vector<std::string> warnings_;
};

// "talweg: error: MESSAGE" on stderr.
void PrintError(std::string_view message);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_REPORTER_H_
