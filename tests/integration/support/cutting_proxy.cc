#include "cutting_proxy.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace talweg::test {
namespace {

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  EXPECT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// Bytes moved; 0 at the end of `from`.
size_t Move(int from, int to) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(from, buffer.data(), buffer.size());
  if (got <= 0) return 0;
  for (ssize_t done = 0; done < got;) {
    const ssize_t sent =
        send(to, buffer.data() + done, static_cast<size_t>(got - done), MSG_NOSIGNAL);
    if (sent <= 0) return 0;
    done += sent;
  }
  return static_cast<size_t>(got);
}

}  // namespace

CuttingProxy::CuttingProxy(std::string listen_path, std::string server_path,
                           std::vector<uint64_t> cuts)
    : server_path_(std::move(server_path)), cuts_(std::move(cuts)) {
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = AddressOf(listen_path);
  EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener_, 8), 0);
  thread_ = std::thread([this] { Serve(); });
}

CuttingProxy::~CuttingProxy() {
  ending_ = true;
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

void CuttingProxy::Serve() {
  while (!ending_) {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const auto number = static_cast<size_t>(connections_++);
    Relay(client, number < cuts_.size() ? cuts_[number] : std::numeric_limits<uint64_t>::max());
    close(client);
  }
}

void CuttingProxy::Relay(int client, uint64_t cut_after) {
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = AddressOf(server_path_);
  uint64_t moved = 0;
  bool open = connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  while (open && !ending_ && moved < cut_after) {
    pollfd waiting[2] = {{.fd = client, .events = POLLIN, .revents = 0},
                         {.fd = server, .events = POLLIN, .revents = 0}};
    if (poll(waiting, 2, 50) <= 0) continue;
    if (waiting[0].revents != 0) {
      const size_t bytes = Move(client, server);
      open = bytes > 0;
      moved += bytes;
    }
    if (open && waiting[1].revents != 0) open = Move(server, client) > 0;
  }
  close(server);
}

}  // namespace talweg::test
