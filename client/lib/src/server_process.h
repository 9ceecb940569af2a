// Starting, watching and ending one talwegd.
#ifndef TALWEG_CLIENT_SERVER_PROCESS_H_
#define TALWEG_CLIENT_SERVER_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace talweg::client {

// Owns a descriptor.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  ~OwnedFd() { Close(); }
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  void Close();

 private:
  int fd_ = -1;
};

// Path of talwegd: TALWEG_SERVER_BINARY, beside this program, then on PATH.
// NOT_FOUND, NO_SERVER_BINARY.
absl::StatusOr<std::string> FindServerBinary();

// A child with its ends of three channels: it ends when `lifeline` closes, it
// says on `ready` where it listens, and its stderr goes to `log`.
struct ServerProcess {
  pid_t pid = -1;
  OwnedFd lifeline;
  OwnedFd ready;
  OwnedFd log;
};

// Runs `binary` with `arguments` and the two options for its channels, in a
// process group of its own (Ctrl-C is for the client, which ends its server
// itself). SYSTEM_CALL.
absl::StatusOr<ServerProcess> SpawnServer(const std::string& binary,
                                          std::vector<std::string> arguments);

// Waits until the child accepts calls. UNAVAILABLE (SERVER_NOT_STARTED) with
// its last words when it ends, or is not ready within `timeout`.
absl::Status WaitUntilReady(ServerProcess& process, absl::Duration timeout);

// Ends the child: SIGTERM, SIGKILL after `patience`. It is reaped.
void EndServer(ServerProcess& process, absl::Duration patience);

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_SERVER_PROCESS_H_
