#include "talweg/app/app.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include "descriptors.h"
#include "stop_requests.h"
#include "talweg/base/version.h"
#include "talweg/service/server.h"

namespace talweg::app {
namespace {

void StartLog(const std::string& level) {
  auto logger = spdlog::stderr_logger_mt("talwegd");
  logger->set_pattern("talwegd %Y-%m-%dT%H:%M:%S.%e %l: %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(std::move(logger));
}

int Fail(const absl::Status& status) {
  spdlog::error("{}", std::string(status.message()));
  return kExitFailure;
}

std::string JoinAddresses(const service::Server& server) {
  std::string text;
  for (const service::ListenAddress& address : server.addresses()) {
    text += (text.empty() ? "" : ", ") + address.ToString();
  }
  return text;
}

void WarnOfOpenListeners(const service::Server& server) {
  for (const service::ListenAddress& address : server.addresses()) {
    if (address.is_local()) continue;
    spdlog::warn("{} can be reached from other hosts, without encryption or authentication",
                 address.ToString());
  }
}

// Stops the server while this thread listens for a request to hurry.
void Drain(service::Server& server, StopRequests& requests, absl::Duration drain) {
  std::atomic<bool> stopped{false};
  std::thread stopping([&] {
    server.Stop(drain);
    stopped = true;
  });
  constexpr absl::Duration kPoll = absl::Milliseconds(5);
  while (!stopped) {
    if (requests.Wait(kPoll) != StopRequest::kNone) server.Hurry();
  }
  stopping.join();
}

// A parent that has died cannot remove the folder it made for the socket;
// rmdir touches empty folders only.
void RemoveFolderOfParent(const service::Server& server) {
  for (const service::ListenAddress& address : server.addresses()) {
    if (!address.is_unix()) continue;
    unlink(address.unix_path.c_str());
    rmdir(address.unix_path.substr(0, address.unix_path.rfind('/')).c_str());
  }
}

service::ServiceLimits LimitsOf(const Options& options) {
  service::ServiceLimits limits;
  limits.max_requests = options.max_requests;
  limits.max_queued_tasks = options.queue_length;
  return limits;
}

}  // namespace

int Serve(const Options& options) {
  StartLog(options.log_level);
  umask(S_IRWXG | S_IRWXO);  // sockets are for this user
  auto requests = StopRequests::Take(options.lifeline_fd);
  if (!requests.ok()) return Fail(requests.status());

  const service::ServiceLimits limits = LimitsOf(options);
  store::Store store(
      {.max_surfaces = limits.max_surfaces, .max_open_uploads = limits.max_open_uploads});
  workers::PoolOptions pool_options;
  pool_options.workers = options.workers;
  pool_options.worker_binary = options.worker_binary;
  pool_options.queue_length = options.queue_length;
  auto pool = workers::WorkerPool::Start(pool_options);
  if (!pool.ok()) return Fail(pool.status());
  auto server = service::Server::Start({.listen = options.listen, .limits = limits}, store, **pool);
  if (!server.ok()) return Fail(server.status());

  // Whatever the log level: scripts and people wait for this line.
  std::fprintf(stderr, "talwegd %s listening on %s, %d workers\n", std::string(Version()).c_str(),
               JoinAddresses(**server).c_str(), options.workers);
  spdlog::info("surfaces are kept in memory only: they end with this server");
  WarnOfOpenListeners(**server);
  AnnounceReady(options.ready_fd, (*server)->addresses().front().ToString());

  StopRequest request = StopRequest::kNone;
  while (request == StopRequest::kNone) request = requests->Wait(absl::Hours(1));
  const bool parent_gone = request == StopRequest::kParentGone;
  spdlog::info(parent_gone ? "the parent has ended: stopping" : "told to end: draining");
  Drain(**server, *requests, parent_gone ? absl::ZeroDuration() : options.drain_time);
  (*pool)->Shutdown(absl::ZeroDuration());
  if (parent_gone) RemoveFolderOfParent(**server);
  spdlog::info("stopped");
  return kExitOk;
}

}  // namespace talweg::app
