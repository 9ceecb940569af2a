#include "reporter.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace talweg::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kQuietStart = 500ms;     // quick jobs show no bar at all
constexpr auto kBarInterval = 100ms;    // between two drawings on a terminal
constexpr auto kLineInterval = 1000ms;  // between two lines elsewhere

std::string Count(double value) {
  char text[32];
  if (value >= 1e7) {
    std::snprintf(text, sizeof text, "%.1f million", value / 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.0f", value);
  }
  return text;
}

std::string BarText(double fraction) {
  constexpr int kWidth = 30;
  const int filled = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * kWidth));
  return "[" + std::string(static_cast<size_t>(filled), '#') +
         std::string(static_cast<size_t>(kWidth - filled), '.') + "]";
}

}  // namespace

Reporter::Reporter(Volume volume, ProgressChoice progress)
    : volume_(volume),
      is_terminal_(::isatty(STDERR_FILENO) != 0),
      shows_progress_(
          progress == ProgressChoice::kAlways ||
          (progress == ProgressChoice::kOnTerminal && is_terminal_ && volume == Volume::kNormal)),
      started_(std::chrono::steady_clock::now()) {}

Reporter::~Reporter() { ClearProgress(); }

void Reporter::Warn(std::string_view sentence) {
  if (std::find(warnings_.begin(), warnings_.end(), sentence) != warnings_.end()) return;
  warnings_.emplace_back(sentence);
  if (volume_ == Volume::kQuiet) return;
  ClearProgress();
  std::fprintf(stderr, "talweg: warning: %s\n", warnings_.back().c_str());
}

void Reporter::Note(std::string_view sentence) {
  if (volume_ == Volume::kQuiet || !is_terminal_) return;
  ClearProgress();
  std::fprintf(stderr, "talweg: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

void Reporter::Progress(std::string_view phase, double done, double total, std::string_view unit) {
  if (!shows_progress_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - started_ < kQuietStart) return;
  if (now - last_drawn_ < (is_terminal_ ? kBarInterval : kLineInterval)) return;
  last_drawn_ = now;
  std::string line(phase);
  if (total > 0) {
    char percent[16];
    std::snprintf(percent, sizeof percent, " %3.0f %%  ", 100 * std::clamp(done / total, 0.0, 1.0));
    line += " " + BarText(done / total) + percent + Count(done) + " of " + Count(total);
  } else {
    line += ": " + Count(done);
  }
  line += " " + std::string(unit);
  if (is_terminal_) {
    std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    bar_visible_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

void Reporter::ClearProgress() {
  if (!bar_visible_) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
  bar_visible_ = false;
}

void PrintError(std::string_view message) {
  std::fprintf(stderr, "talweg: error: %.*s\n", static_cast<int>(message.size()), message.data());
}

}  // namespace talweg::cli
