// One call under way: its deadline, and a watcher that ends it when the user
// says so.
#ifndef TALWEG_CLIENT_RUNNING_CALL_H_
#define TALWEG_CLIENT_RUNNING_CALL_H_

#include <grpcpp/client_context.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "talweg/client/client.h"

namespace talweg::client {

// Polls CallOptions::cancelled every 50 ms on a thread of its own.
class RunningCall {
 public:
  explicit RunningCall(const CallOptions& options);
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  grpc::ClientContext& context() { return context_; }

 private:
  void Watch();

  const CallOptions& options_;
  grpc::ClientContext context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_RUNNING_CALL_H_
