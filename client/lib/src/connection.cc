#include "connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "talweg/base/errors.h"

namespace talweg::client {
namespace {

bool IsAddress(const std::string& text) {
  constexpr std::string_view kUnixPrefix = "unix:";
  if (text.starts_with(kUnixPrefix)) return text.size() > kUnixPrefix.size();
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) return false;
  const std::string port = text.substr(colon + 1);
  return port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos &&
         std::stoi(port) <= 65535 && text.find('/') == std::string::npos;
}

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  // The server's blocks stay near 1 MiB, lists of surfaces may be longer.
  constexpr int kMaxReceivedBytes = 64 * 1024 * 1024;
  arguments.SetMaxReceiveMessageSize(kMaxReceivedBytes);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection per client
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);          // a proxy of the web is not on this way
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  return arguments;
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(const std::string& address,
                                                           const ConnectOptions& options) {
  if (!IsAddress(address)) return InvalidValue("server", address, "host:port or unix:PATH");
  std::shared_ptr<grpc::Channel> channel =
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), Arguments());
  const absl::Time end = absl::Now() + options.connect_timeout;
  if (channel->WaitForConnected(absl::ToChronoTime(end))) return channel;
  return MakeError(absl::StatusCode::kUnavailable,
                   "server: nobody answers at " + address + " within " +
                       FormatNumber(absl::ToDoubleSeconds(options.connect_timeout)) + " s",
                   {.reason = "NO_SERVER",
                    .field = "server",
                    .value = address,
                    .valid_range = "the address of a running talwegd",
                    .retry_delay = std::nullopt});
}

}  // namespace talweg::client
