// Where a server listens: "host:port" (port 0: any free one), "[::1]:port" or
// "unix:PATH".
#ifndef TALWEG_SERVICE_LISTEN_ADDRESS_H_
#define TALWEG_SERVICE_LISTEN_ADDRESS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace talweg::service {

struct ListenAddress {
  std::string host;  // empty for a Unix socket
  uint16_t port = 0;
  std::string unix_path;  // empty for TCP

  bool is_unix() const { return !unix_path.empty(); }
  // Whether only this host can reach it.
  bool is_local() const;
  // As gRPC takes it.
  std::string ToString() const;
};

// INVALID_VALUE, field "listen".
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text);

// Removes a Unix socket that nobody listens on any more. FAILED_PRECONDITION
// when a server is listening there or the path is something else than a socket.
absl::Status RemoveStaleSocket(const ListenAddress& address);

// Why binding failed, found by trying once more: "Address already in use" ...
std::string ExplainBindFailure(const ListenAddress& address);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_LISTEN_ADDRESS_H_
