#include "talweg/service/server.h"

#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "health_monitor.h"
#include "services.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::service {
namespace {

// gRPC's own lines go where ours go; its errors are mostly about clients.
void LogFromGrpc(gpr_log_func_args* line) {
  const auto level =
      line->severity == GPR_LOG_SEVERITY_ERROR ? spdlog::level::info : spdlog::level::debug;
  spdlog::log(level, "grpc: {}", line->message);
}

void PrepareGrpc() {
  static std::once_flag once;
  std::call_once(once, [] {
    gpr_set_log_function(LogFromGrpc);
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

absl::Status CannotListen(const ListenAddress& address) {
  return MakeError(
      absl::StatusCode::kUnavailable,
      "listen: cannot listen on " + address.ToString() + ": " + ExplainBindFailure(address),
      {.reason = "CANNOT_LISTEN",
       .field = "listen",
       .value = address.ToString(),
       .valid_range = "a free address that this user may bind",
       .retry_delay = std::nullopt});
}

void Configure(grpc::ServerBuilder& builder, const ServiceLimits& limits) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.max_message_bytes));
  builder.SetMaxSendMessageSize(static_cast<int>(limits.max_message_bytes));
  // Two servers on one port would share its calls at random.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // A small compressed message can hold a huge one; the limit on messages is
  // on what arrives.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

}  // namespace

class Server::Impl {
 public:
  Impl(const ServerOptions& options, store::Store& store, workers::WorkerPool& pool)
      : backend_{.store = store, .pool = pool, .limits = options.limits},
        bridge_{.backend = backend_,
                .registry = CallRegistry(options.limits.max_requests),
                .executor = Executor(options.limits.max_requests)},
        services_(MakeServices(bridge_)),
        addresses_(options.listen) {}

  absl::Status Start() {
    PrepareGrpc();
    grpc::ServerBuilder builder;
    Configure(builder, backend_.limits);
    for (const auto& service : services_) builder.RegisterService(service.get());
    std::vector<int> ports(addresses_.size(), 0);
    for (size_t i = 0; i < addresses_.size(); ++i) {
      TALWEG_RETURN_IF_ERROR(RemoveStaleSocket(addresses_[i]));
      builder.AddListeningPort(addresses_[i].ToString(), grpc::InsecureServerCredentials(),
                               &ports[i]);
    }
    server_ = builder.BuildAndStart();
    for (size_t i = 0; i < addresses_.size(); ++i) {
      if (ports[i] <= 0) return CannotListen(addresses_[i]);
      if (addresses_[i].is_unix()) {
        chmod(addresses_[i].unix_path.c_str(), S_IRUSR | S_IWUSR);
      } else {
        addresses_[i].port = static_cast<uint16_t>(ports[i]);
      }
    }
    if (!server_) return CannotListen(addresses_.front());
    health_.emplace(*server_->GetHealthCheckService(), backend_.pool, ServiceNames());
    return absl::OkStatus();
  }

  ~Impl() { Stop(absl::ZeroDuration()); }

  const std::vector<ListenAddress>& addresses() const { return addresses_; }

  void Stop(absl::Duration drain) {
    if (!server_ || stopped_) return;
    stopped_ = true;
    health_->Drain();
    bridge_.registry.StopAdmitting();
    const absl::Time end = absl::Now() + drain;
    // In slices, to notice a hurry.
    constexpr absl::Duration kSlice = absl::Milliseconds(20);
    bool closed = false;
    while (!closed && !hurry_ && absl::Now() < end) {
      closed = bridge_.registry.WaitUntilClosed(std::min(kSlice, end - absl::Now()));
    }
    if (!closed) {
      bridge_.registry.CancelAll(ShuttingDown());
      constexpr absl::Duration kCancelGrace = absl::Seconds(1);
      bridge_.registry.WaitUntilClosed(kCancelGrace);
    }
    // What is open still (watchers of health, clients that read nothing) is cut.
    health_.reset();
    constexpr auto kCutGrace = std::chrono::milliseconds(50);
    server_->Shutdown(std::chrono::system_clock::now() + kCutGrace);
    server_->Wait();
    for (const ListenAddress& address : addresses_) {
      if (address.is_unix()) unlink(address.unix_path.c_str());
    }
  }

  void Hurry() { hurry_ = true; }

 private:
  Backend backend_;
  BridgeState bridge_;
  const std::vector<std::unique_ptr<grpc::Service>> services_;
  std::vector<ListenAddress> addresses_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<HealthMonitor> health_;
  std::atomic<bool> hurry_{false};
  bool stopped_ = false;
};

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options,
                                                      store::Store& store,
                                                      workers::WorkerPool& pool) {
  auto impl = std::make_unique<Impl>(options, store, pool);
  TALWEG_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

const std::vector<ListenAddress>& Server::addresses() const { return impl_->addresses(); }
void Server::Stop(absl::Duration drain) { impl_->Stop(drain); }
void Server::Hurry() { impl_->Hurry(); }

}  // namespace talweg::service
