// The process that holds a pool is killed: its workers must end with it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <vector>

// glibc 2.36 declares these functions without C linkage.
extern "C" {
#include <sys/pidfd.h>
}

#include "pool_harness.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::workers {
namespace {

TEST(PoolDeath, WorkersEndWithTheirServerEvenInMidSearchOrStopped) {
  std::array<int, 2> pipe_ends;
  ASSERT_EQ(pipe2(pipe_ends.data(), O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  std::string path = test::TestProgramPath("pool_holder");
  const std::array<char*, 2> argv = {path.data(), nullptr};
  int holder = -1;
  ASSERT_EQ(posix_spawn(&holder, path.c_str(), &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);

  FILE* output = fdopen(pipe_ends[0], "r");
  std::vector<store::FileDescriptor> workers;
  for (int pid = 0; workers.size() < 3 && std::fscanf(output, "%d", &pid) == 1;) {
    workers.emplace_back(pidfd_open(pid, 0));
    EXPECT_TRUE(workers.back().valid());
  }
  ASSERT_EQ(workers.size(), 3u);
  // A stopped worker cannot see the end of its socket.
  pidfd_send_signal(workers[0].get(), SIGSTOP, nullptr, 0);
  kill(holder, SIGKILL);
  ASSERT_EQ(waitpid(holder, nullptr, 0), holder);
  for (const store::FileDescriptor& worker : workers) {
    pollfd wait = {.fd = worker.get(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(poll(&wait, 1, 10'000), 1) << "a worker outlived its server";
  }
  std::fclose(output);
}

}  // namespace
}  // namespace talweg::workers
