#include "talweg/app/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <thread>

#include "descriptors.h"
#include "talweg/base/version.h"
#include "talweg/service/limits.h"

namespace talweg::app {
namespace {

constexpr char kDefaultListen[] = "127.0.0.1:7171";

// talweg-worker beside this program, as built and as installed.
std::string WorkerBesideThisProgram() {
  std::array<char, 4096> buffer;
  const ssize_t size = readlink("/proc/self/exe", buffer.data(), buffer.size());
  const std::string program(buffer.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  return program.substr(0, program.rfind('/') + 1) + "talweg-worker";
}

std::string CheckAddress(const std::string& text) {
  const auto address = service::ParseListenAddress(text);
  return address.ok() ? std::string() : std::string(address.status().message());
}

std::string CheckDescriptor(const std::string& text) {
  int fd = -1;
  return CLI::detail::lexical_cast(text, fd) && fd > 2 && AdoptDescriptor(fd)
             ? std::string()
             : "is not an open descriptor";
}

}  // namespace

ParsedOptions ParseOptions(int argc, const char* const* argv) {
  Options options;
  options.worker_binary = WorkerBesideThisProgram();
  options.workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const service::ServiceLimits limits;
  options.queue_length = limits.max_queued_tasks;
  options.max_requests = limits.max_requests;
  options.log_level = "info";
  std::vector<std::string> listen = {kDefaultListen};
  double drain_s = 10;

  CLI::App parser("Serves least-cost paths on raster cost surfaces by gRPC.", "talwegd");
  parser.set_version_flag("--version", "talwegd " + std::string(Version()));
  parser
      .add_option("--listen", listen,
                  "Where to listen: host:port (port 0: any free one) or unix:PATH; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(CheckAddress, "ADDRESS")
      ->capture_default_str();
  parser.add_option("--workers", options.workers, "Worker processes; default: one per core")
      ->check(CLI::Range(1, 1024));
  parser
      .add_option("--worker-binary", options.worker_binary,
                  "Path of talweg-worker; default: beside this program")
      ->check(CLI::ExistingFile);
  parser.add_option("--queue-length", options.queue_length, "Tasks that may wait for a worker")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->capture_default_str();
  parser.add_option("--max-requests", options.max_requests, "Requests under way at once")
      ->check(CLI::Range(uint64_t{1}, uint64_t{4096}))
      ->capture_default_str();
  parser
      .add_option("--drain-time", drain_s,
                  "Seconds that requests under way get to finish when the server is told to end")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  parser.add_option("--log-level", options.log_level, "debug, info, warn or error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
  parser
      .add_option("--ready-fd", options.ready_fd,
                  "Descriptor that gets the first bound address when calls are accepted")
      ->check(CheckDescriptor, "FD");
  parser
      .add_option("--lifeline-fd", options.lifeline_fd,
                  "Descriptor of a pipe; the server ends when its other end is closed")
      ->check(CheckDescriptor, "FD");
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive here too, with code 0.
    return {.options = std::nullopt, .exit_code = parser.exit(error) == 0 ? kExitOk : kExitUsage};
  }
  for (const std::string& text : listen) {
    options.listen.push_back(*service::ParseListenAddress(text));
  }
  options.drain_time = absl::Seconds(drain_s);
  return {.options = options, .exit_code = kExitOk};
}

}  // namespace talweg::app
