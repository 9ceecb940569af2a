// Channels and stubs.
#ifndef TALWEG_CLIENT_CONNECTION_H_
#define TALWEG_CLIENT_CONNECTION_H_

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/client/client.h"

namespace talweg::client {

// A connected channel of its own. Fails like Client::Connect.
absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(const std::string& address,
                                                           const ConnectOptions& options);

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_CONNECTION_H_
