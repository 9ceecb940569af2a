// Threads for handlers that block.
#ifndef TALWEG_SERVICE_EXECUTOR_H_
#define TALWEG_SERVICE_EXECUTOR_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace talweg::service {

// At most `max_threads`, made when first needed and kept. Thread-safe.
class Executor {
 public:
  explicit Executor(uint64_t max_threads) : max_threads_(max_threads) {}
  // Runs what is waiting, then ends the threads.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void Run(std::function<void()> job);

 private:
  void Serve();

  const uint64_t max_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  uint64_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_EXECUTOR_H_
