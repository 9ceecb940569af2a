#include "talweg/workers/worker_process.h"

#include <fcntl.h>
#include <spawn.h>
// glibc 2.36 forgets to declare these functions as C.
extern "C" {}
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

// glibc 2.36 declares these functions without C linkage.
extern "C" {
#include <sys/pidfd.h>
}

#include "talweg/base/errors.h"

namespace talweg::workers {
namespace {

// posix_spawn's two argument objects.
class SpawnArguments {
 public:
  SpawnArguments() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnArguments() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnArguments(const SpawnArguments&) = delete;
  SpawnArguments& operator=(const SpawnArguments&) = delete;

  // 0 or an error number.
  int Fill(int channel) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    // The channel first: the numbers below it may be anything by then.
    for (const int error :
         {posix_spawn_file_actions_adddup2(&actions_, channel, kWorkerChannelDescriptor),
          posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
          posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0),
          posix_spawn_file_actions_addclosefrom_np(&actions_, kWorkerChannelDescriptor + 1),
          posix_spawnattr_setsigmask(&attributes_, &none),
          posix_spawnattr_setsigdefault(&attributes_, &all),
          posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)}) {
      if (error != 0) return error;
    }
    return 0;
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

ProcessEnd ReapBy(idtype_t id_type, int id) {
  siginfo_t info{};
  int result = -1;
  do {
    result = waitid(id_type, static_cast<id_t>(id), &info, WEXITED);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return {.exit_code = 0, .signal_number = SIGKILL};  // reaped by a stranger
  if (info.si_code == CLD_EXITED) return {.exit_code = info.si_status, .signal_number = 0};
  return {.exit_code = 0, .signal_number = info.si_status};
}

}  // namespace

bool ProcessEnd::FromOutside() const {
  return signal_number == SIGKILL || signal_number == SIGTERM || signal_number == SIGINT ||
         signal_number == SIGHUP;
}

std::string ProcessEnd::ToString() const {
  if (signal_number == 0) return "exit code " + std::to_string(exit_code);
  if (const char* name = sigabbrev_np(signal_number); name != nullptr) {
    return std::string("SIG") + name;
  }
  return "signal " + std::to_string(signal_number);
}

absl::StatusOr<WorkerProcess::Started> WorkerProcess::Start(const std::string& program) {
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return SystemCallFailed("creating a worker's socket", errno);
  }
  store::FileDescriptor server_end(ends[0]);
  const store::FileDescriptor worker_end(ends[1]);

  SpawnArguments arguments;
  int error = arguments.Fill(worker_end.get());
  std::string path = program;
  std::string option = "--channel-fd";
  std::string value = std::to_string(kWorkerChannelDescriptor);
  const std::array<char*, 4> argv = {path.data(), option.data(), value.data(), nullptr};
  int pid = -1;
  // glibc's posix_spawn runs nothing of ours between clone and exec: safe in a
  // process with gRPC's threads, which a fork would not be.
  if (error == 0) {
    error = posix_spawn(&pid, program.c_str(), arguments.actions(), arguments.attributes(),
                        argv.data(), environ);
  }
  if (error != 0) return SystemCallFailed("starting a worker process", error);
  // Nobody else reaps our children, so the number is still this process's.
  store::FileDescriptor pidfd(pidfd_open(pid, 0));
  if (!pidfd.valid()) {
    const int open_error = errno;
    kill(pid, SIGKILL);
    ReapBy(P_PID, pid);
    return SystemCallFailed("watching a worker process", open_error);
  }
  return Started{.process = WorkerProcess(pid, std::move(pidfd)), .channel = std::move(server_end)};
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

WorkerProcess::~WorkerProcess() {
  if (pid_ < 0) return;
  Kill();
  Reap();
}

void WorkerProcess::Kill() const { pidfd_send_signal(pidfd_.get(), SIGKILL, nullptr, 0); }

ProcessEnd WorkerProcess::Reap() {
  const ProcessEnd end = ReapBy(P_PIDFD, pidfd_.get());
  pid_ = -1;
  return end;
}

}  // namespace talweg::workers
