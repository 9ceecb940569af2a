#include "talweg/client/private_server.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "server_process.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::client {
namespace {

constexpr char kSocketName[] = "/socket";
// A Unix socket's path has at most 107 bytes: a longer temporary folder is no use.
constexpr size_t kMaxFolderBytes = 107 - sizeof kSocketName - sizeof "/talweg-XXXXXX";

// A fresh folder that only this user may enter; removed with the object when
// it is empty but for the socket.
class Folder {
 public:
  static absl::StatusOr<Folder> Make() {
    const char* named = std::getenv("TMPDIR");
    std::string parent = named != nullptr && *named ? named : "/tmp";
    if (parent.size() > kMaxFolderBytes) parent = "/tmp";
    std::string path = parent + "/talweg-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) return SystemCallFailed("mkdtemp", errno);  // mode 0700
    return Folder(std::move(path));
  }
  ~Folder() {
    if (path_.empty()) return;
    unlink((path_ + kSocketName).c_str());
    rmdir(path_.c_str());
  }
  Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Folder& operator=(Folder&&) = delete;

  std::string Address() const { return "unix:" + path_ + kSocketName; }

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace

struct PrivateServer::State {
  explicit State(Folder own_folder) : folder(std::move(own_folder)), address(folder.Address()) {}
  // Killed only when it does not end by itself: a drain is short here, for
  // whoever owns the server has no calls under way.
  ~State() { EndServer(process, absl::Seconds(5)); }

  Folder folder;
  std::string address;
  ServerProcess process;
};

absl::StatusOr<std::unique_ptr<PrivateServer>> PrivateServer::Start(
    const PrivateServerOptions& options) {
  TALWEG_ASSIGN_OR_RETURN(const std::string binary, FindServerBinary());
  TALWEG_ASSIGN_OR_RETURN(Folder folder, Folder::Make());
  auto state = std::make_unique<State>(std::move(folder));
  std::vector<std::string> arguments = {"--listen", state->address, "--log-level",
                                        "warn",     "--drain-time", "1"};
  if (options.workers > 0) {
    arguments.insert(arguments.end(), {"--workers", std::to_string(options.workers)});
  }
  TALWEG_ASSIGN_OR_RETURN(state->process, SpawnServer(binary, std::move(arguments)));
  constexpr absl::Duration kStartTimeout = absl::Seconds(20);
  TALWEG_RETURN_IF_ERROR(WaitUntilReady(state->process, kStartTimeout));
  return std::unique_ptr<PrivateServer>(new PrivateServer(std::move(state)));
}

PrivateServer::PrivateServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
PrivateServer::~PrivateServer() = default;

const std::string& PrivateServer::address() const { return state_->address; }
int PrivateServer::pid() const { return state_->process.pid; }

}  // namespace talweg::client
