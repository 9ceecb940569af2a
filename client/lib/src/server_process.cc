#include "server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "absl/time/clock.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::client {
namespace {

constexpr char kProgram[] = "talwegd";
// Where the child finds its ends.
constexpr int kLifelineFd = 3;
constexpr int kReadyFd = 4;
// The child's ends are first made above these, so that no dup2 hits another.
constexpr int kSafeFd = 10;

bool IsProgram(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::string ProgramFolder() {
  std::array<char, 4096> buffer;
  const ssize_t size = readlink("/proc/self/exe", buffer.data(), buffer.size());
  const std::string program(buffer.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  return program.substr(0, program.rfind('/') + 1);
}

absl::StatusOr<OwnedFd> MoveUp(OwnedFd fd) {
  OwnedFd moved(fcntl(fd.get(), F_DUPFD_CLOEXEC, kSafeFd));
  if (moved.get() < 0) return SystemCallFailed("fcntl", errno);
  return moved;
}

struct Pipe {
  OwnedFd read_end;
  OwnedFd write_end;
};

// Both ends are close-on-exec: no other child of this program may hold one.
absl::StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return SystemCallFailed("pipe2", errno);
  return Pipe{OwnedFd(fds[0]), OwnedFd(fds[1])};
}

// Signals as a fresh program expects them, whatever this one has done.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::string LastWords(const OwnedFd& log) {
  constexpr off_t kMaxBytes = 2000;
  const off_t size = lseek(log.get(), 0, SEEK_END);
  const off_t first = std::max<off_t>(0, size - kMaxBytes);
  std::string words(static_cast<size_t>(std::max<off_t>(0, size - first)), '\0');
  const ssize_t got = pread(log.get(), words.data(), words.size(), first);
  words.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

absl::Status NotStarted(const ServerProcess& process, const std::string& why) {
  const std::string words = LastWords(process.log);
  return MakeError(absl::StatusCode::kUnavailable,
                   "private server: " + why + (words.empty() ? "" : "; it said: " + words),
                   {.reason = "SERVER_NOT_STARTED",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

}  // namespace

void OwnedFd::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

absl::StatusOr<std::string> FindServerBinary() {
  if (const char* named = std::getenv("TALWEG_SERVER_BINARY"); named != nullptr && *named) {
    return std::string(named);
  }
  if (const std::string beside = ProgramFolder() + kProgram; IsProgram(beside)) return beside;
  std::string folders = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  while (!folders.empty()) {
    const size_t colon = folders.find(':');
    const std::string folder = folders.substr(0, colon);
    if (!folder.empty() && IsProgram(folder + "/" + kProgram)) return folder + "/" + kProgram;
    folders = colon == std::string::npos ? "" : folders.substr(colon + 1);
  }
  return MakeError(absl::StatusCode::kNotFound,
                   "private server: there is no talwegd beside this program or on PATH; name one "
                   "by TALWEG_SERVER_BINARY",
                   {.reason = "NO_SERVER_BINARY",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::StatusOr<ServerProcess> SpawnServer(const std::string& binary,
                                          std::vector<std::string> arguments) {
  TALWEG_ASSIGN_OR_RETURN(Pipe lifeline, MakePipe());
  TALWEG_ASSIGN_OR_RETURN(Pipe ready, MakePipe());
  ServerProcess process;
  process.lifeline = std::move(lifeline.write_end);
  process.ready = std::move(ready.read_end);
  // A file in memory: it never fills up like a pipe, and leaves nothing behind.
  process.log = OwnedFd(memfd_create("talwegd-log", MFD_CLOEXEC));
  if (process.log.get() < 0) return SystemCallFailed("memfd_create", errno);
  TALWEG_ASSIGN_OR_RETURN(const OwnedFd child_lifeline, MoveUp(std::move(lifeline.read_end)));
  TALWEG_ASSIGN_OR_RETURN(const OwnedFd child_ready, MoveUp(std::move(ready.write_end)));
  OwnedFd log_copy(dup(process.log.get()));
  TALWEG_ASSIGN_OR_RETURN(const OwnedFd child_log, MoveUp(std::move(log_copy)));

  SpawnSettings settings;
  posix_spawn_file_actions_addopen(&settings.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&settings.actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&settings.actions, child_log.get(), 2);
  posix_spawn_file_actions_adddup2(&settings.actions, child_lifeline.get(), kLifelineFd);
  posix_spawn_file_actions_adddup2(&settings.actions, child_ready.get(), kReadyFd);

  arguments.insert(arguments.begin(), binary);
  arguments.insert(arguments.end(), {"--lifeline-fd", std::to_string(kLifelineFd), "--ready-fd",
                                     std::to_string(kReadyFd)});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int error = posix_spawn(&process.pid, binary.c_str(), &settings.actions,
                                &settings.attributes, argv.data(), environ);
  if (error != 0) return PrependContext(SystemCallFailed("posix_spawn", error), binary);
  return process;
}

absl::Status WaitUntilReady(ServerProcess& process, absl::Duration timeout) {
  const absl::Time end = absl::Now() + timeout;
  std::string said;
  while (said.empty() || said.back() != '\n') {
    const int64_t left_ms = absl::ToInt64Milliseconds(end - absl::Now());
    if (left_ms <= 0) return NotStarted(process, "talwegd was not ready in time");
    pollfd waiting{.fd = process.ready.get(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(left_ms)) <= 0) continue;
    std::array<char, 256> buffer;
    const ssize_t got = read(process.ready.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return NotStarted(process, "talwegd ended at its start");
    said.append(buffer.data(), static_cast<size_t>(got));
  }
  return absl::OkStatus();
}

void EndServer(ServerProcess& process, absl::Duration patience) {
  if (process.pid <= 0) return;
  kill(process.pid, SIGTERM);
  const absl::Time end = absl::Now() + patience;
  absl::Duration pause = absl::Milliseconds(1);
  while (waitpid(process.pid, nullptr, WNOHANG) == 0) {
    if (absl::Now() >= end) {
      kill(process.pid, SIGKILL);
      waitpid(process.pid, nullptr, 0);
      break;
    }
    absl::SleepFor(pause);
    pause = std::min(2 * pause, absl::Milliseconds(20));
  }
  process.pid = -1;
}

}  // namespace talweg::client
