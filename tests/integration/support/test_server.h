// A real talwegd with real workers, for one test.
#ifndef TALWEG_TESTS_INTEGRATION_TEST_SERVER_H_
#define TALWEG_TESTS_INTEGRATION_TEST_SERVER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "talweg/client/client.h"
#include "talweg/test/shared_data.h"

namespace talweg::test {

struct ServerFlags {
  int workers = 2;
  std::string listen = {};              // empty: a Unix socket in a folder of its own
  std::vector<std::string> extra = {};  // further arguments
};

// A child as the test started it. Killed with the object.
class ServerChild {
 public:
  // Does not wait for the server to be ready.
  explicit ServerChild(const std::vector<std::string>& arguments);
  ~ServerChild();
  ServerChild(const ServerChild&) = delete;
  ServerChild& operator=(const ServerChild&) = delete;

  // The line it announces; empty when it ends without one.
  std::string WaitForReadyLine();
  pid_t pid() const { return pid_; }
  void Signal(int signal) const;
  // Its exit code, or minus the signal that ended it.
  int Wait();
  // What it has written to stderr.
  std::string Log() const;
  void CloseLifeline();

 private:
  TemporaryFolder folder_;
  pid_t pid_ = -1;
  int ready_fd_ = -1;
  int lifeline_fd_ = -1;
  int exit_code_ = 0;
};

class TestServer {
 public:
  // Fails the test (and returns a dead server) when it does not start.
  explicit TestServer(const ServerFlags& flags = {});

  const std::string& address() const { return address_; }
  client::Client& client() { return *client_; }
  // A connection of its own.
  std::unique_ptr<client::Client> Connect() const;
  ServerChild& child() { return *child_; }

  // Children of the server, from /proc.
  std::vector<pid_t> WorkerPids() const;

 private:
  TemporaryFolder folder_;
  std::unique_ptr<ServerChild> child_;
  std::string address_;
  std::unique_ptr<client::Client> client_;
};

std::vector<pid_t> ChildrenOf(pid_t pid);
bool ProcessExists(pid_t pid);  // zombies do not count

}  // namespace talweg::test

#endif  // TALWEG_TESTS_INTEGRATION_TEST_SERVER_H_
