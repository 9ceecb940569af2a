// talweg-worker: searches for talwegd. Started by it, with one end of a socket
// pair; of no use by hand.
#include <sys/socket.h>

#include <charconv>
#include <cstdio>
#include <string_view>

#include "talweg/base/version.h"
#include "talweg/store/file_descriptor.h"
#include "talweg/workers/worker_main.h"

namespace {

constexpr std::string_view kUsage =
    "talweg-worker is started by talwegd, which gives it its socket; run talwegd instead.\n"
    "  --version    print the version\n";

// The socket's number, or -1 when the arguments or the descriptor are not what
// talwegd would give.
int ChannelFromArguments(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--channel-fd") return -1;
  const std::string_view text = argv[2];
  int fd = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fd);
  if (error != std::errc() || end != text.data() + text.size() || fd < 0) return -1;
  int domain = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) return -1;
  return fd;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    const std::string_view version = talweg::Version();
    std::printf("talweg-worker %.*s\n", static_cast<int>(version.size()), version.data());
    return 0;
  }
  const int channel = ChannelFromArguments(argc, argv);
  if (channel < 0) {
    std::fputs(kUsage.data(), stderr);
    return talweg::workers::kWorkerExitUsage;
  }
  talweg::workers::RunWorker(talweg::store::FileDescriptor(channel));
}
