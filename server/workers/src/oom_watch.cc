#include "oom_watch.h"

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>

namespace talweg::workers {
namespace {

// Reading the count before every task would cost more than a small task.
constexpr std::chrono::seconds kReadPeriod(1);

// This process's folder below the mount point of a cgroup hierarchy; empty
// when it is in none.
std::string CgroupFolder(std::string_view controller) {
  std::ifstream cgroups("/proc/self/cgroup");
  for (std::string line; std::getline(cgroups, line);) {
    // hierarchy-ID:controllers:path; v2 has no controllers.
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return "";
}

}  // namespace

OomWatch::OomWatch() {
  key_ = "oom_kill";
  const std::array<std::string, 3> candidates = {
      "/sys/fs/cgroup" + CgroupFolder("") + "/memory.events",
      "/sys/fs/cgroup/memory" + CgroupFolder("memory") + "/memory.oom_control", "/proc/vmstat"};
  for (const std::string& candidate : candidates) {
    file_ = candidate;
    if (std::ifstream(candidate).good()) break;
  }
  count_ = Read();
  read_at_ = std::chrono::steady_clock::now();
}

uint64_t OomWatch::Read() const {
  std::ifstream file(file_);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    uint64_t value = 0;
    if (words >> key >> value && key == key_) return value;
  }
  return 0;
}

void OomWatch::NoteQuiet() {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (now - read_at_ < kReadPeriod) return;
  count_ = Read();
  read_at_ = now;
}

bool OomWatch::KilledSince() {
  const std::lock_guard lock(mutex_);
  const uint64_t count = Read();
  const bool rose = count > count_;
  count_ = count;
  read_at_ = std::chrono::steady_clock::now();
  return rose;
}

}  // namespace talweg::workers
