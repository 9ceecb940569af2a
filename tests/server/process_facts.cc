#include "process_facts.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace talweg::test {

namespace fs = std::filesystem;

size_t OpenDescriptors() {
  // One of them is the folder that is being read.
  return static_cast<size_t>(
             std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator())) -
         1;
}

size_t MappedSegments(const std::string& process) {
  std::ifstream maps("/proc/" + process + "/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/memfd:talweg") != std::string::npos) ++count;
  }
  return count;
}

size_t Children() {
  size_t count = 0;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    count += static_cast<size_t>(
        std::distance(std::istream_iterator<int>(children), std::istream_iterator<int>()));
  }
  return count;
}

bool WaitFor(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace talweg::test
