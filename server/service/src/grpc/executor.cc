#include "executor.h"

#include <utility>

namespace talweg::service {

Executor::~Executor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

void Executor::Run(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(job));
  if (waiting_.size() > idle_ && threads_.size() < max_threads_) {
    threads_.emplace_back([this] { Serve(); });
  }
  changed_.notify_one();
}

void Executor::Serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const std::function<void()> job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace talweg::service
