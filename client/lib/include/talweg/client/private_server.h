// A server of one's own: what the command line uses when none is named.
#ifndef TALWEG_CLIENT_PRIVATE_SERVER_H_
#define TALWEG_CLIENT_PRIVATE_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace talweg::client {

struct PrivateServerOptions {
  int workers = 0;  // 0: one per core
};

// A talwegd on a Unix socket in a fresh temporary folder (mode 0700). It ends
// with this object, and also when this process dies in any way: it holds the
// read end of a pipe whose write end only this process has.
class PrivateServer {
 public:
  // Finds talwegd by TALWEG_SERVER_BINARY, beside this program, then on PATH.
  // Returns when it accepts calls; UNAVAILABLE with its last words otherwise.
  static absl::StatusOr<std::unique_ptr<PrivateServer>> Start(const PrivateServerOptions& options);

  // SIGTERM, wait, remove the folder.
  ~PrivateServer();

  const std::string& address() const;  // "unix:..."
  int pid() const;

 private:
  struct State;
  explicit PrivateServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_PRIVATE_SERVER_H_
