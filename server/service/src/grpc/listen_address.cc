#include "talweg/service/listen_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "talweg/base/errors.h"

namespace talweg::service {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr size_t kMaxUnixPath = sizeof(sockaddr_un{}.sun_path) - 1;

absl::Status InvalidAddress(std::string_view text) {
  return InvalidValue("listen", text,
                      "host:port, [ipv6]:port, or unix:PATH with at most " +
                          std::to_string(kMaxUnixPath) + " bytes of path");
}

sockaddr_un UnixAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

absl::Status SocketTaken(const ListenAddress& address, std::string_view why) {
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   "listen: " + address.ToString() + " " + std::string(why),
                   {.reason = "ADDRESS_IN_USE",
                    .field = "listen",
                    .value = address.ToString(),
                    .valid_range = "a free address",
                    .retry_delay = std::nullopt});
}

// 0, or the errno of connecting to the socket.
int TryConnect(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  const sockaddr_un address = UnixAddress(path);
  const int result =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  close(fd);
  return result;
}

// 0, or the errno of binding.
int TryBind(int family, const sockaddr* address, socklen_t size) {
  const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  int result = bind(fd, address, size) == 0 ? 0 : errno;
  if (result == 0 && listen(fd, 1) != 0) result = errno;
  close(fd);
  return result;
}

}  // namespace

bool ListenAddress::is_local() const {
  return is_unix() || host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

std::string ListenAddress::ToString() const {
  return is_unix() ? std::string(kUnixPrefix) + unix_path : host + ":" + std::to_string(port);
}

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text) {
  ListenAddress address;
  if (text.starts_with(kUnixPrefix)) {
    address.unix_path = text.substr(kUnixPrefix.size());
    if (address.unix_path.empty() || address.unix_path.size() > kMaxUnixPath) {
      return InvalidAddress(text);
    }
    return address;
  }
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return InvalidAddress(text);
  address.host = text.substr(0, colon);
  const bool bracketed = address.host.front() == '[' && address.host.back() == ']';
  if (!bracketed && address.host.find_first_of(":/[] ") != std::string::npos) {
    return InvalidAddress(text);
  }
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size()) return InvalidAddress(text);
  return address;
}

absl::Status RemoveStaleSocket(const ListenAddress& address) {
  if (!address.is_unix()) return absl::OkStatus();
  struct stat status;
  if (lstat(address.unix_path.c_str(), &status) != 0) return absl::OkStatus();
  if (!S_ISSOCK(status.st_mode)) return SocketTaken(address, "exists and is not a socket");
  // Only a refused connection proves that nobody listens.
  const int error = TryConnect(address.unix_path);
  if (error == 0) return SocketTaken(address, "is in use by another server");
  if (error != ECONNREFUSED) {
    return SocketTaken(address, std::string("cannot be used: ") + std::strerror(error));
  }
  unlink(address.unix_path.c_str());
  return absl::OkStatus();
}

std::string ExplainBindFailure(const ListenAddress& address) {
  int error = 0;
  if (address.is_unix()) {
    const sockaddr_un unix_address = UnixAddress(address.unix_path);
    error = TryBind(AF_UNIX, reinterpret_cast<const sockaddr*>(&unix_address), sizeof unix_address);
    if (error == 0) unlink(address.unix_path.c_str());
  } else {
    std::string host = address.host;
    if (host.front() == '[') host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    const int resolved =
        getaddrinfo(host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (resolved != 0) return gai_strerror(resolved);
    for (const addrinfo* entry = found; entry != nullptr && error == 0; entry = entry->ai_next) {
      error = TryBind(entry->ai_family, entry->ai_addr, entry->ai_addrlen);
    }
    freeaddrinfo(found);
  }
  return error == 0 ? "the address could not be bound" : std::strerror(error);
}

}  // namespace talweg::service
