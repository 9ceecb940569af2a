// The gRPC server: listens, answers through the handlers, tells its health,
// drains. Free of gRPC headers.
#ifndef TALWEG_SERVICE_SERVER_H_
#define TALWEG_SERVICE_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/service/limits.h"
#include "talweg/service/listen_address.h"
#include "talweg/store/store.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::service {

struct ServerOptions {
  std::vector<ListenAddress> listen;  // at least one
  ServiceLimits limits;
};

class Server {
 public:
  // Accepts calls when it returns. `store` and `pool` must outlive the server.
  // FAILED_PRECONDITION (ADDRESS_IN_USE) or UNAVAILABLE (CANNOT_LISTEN) with
  // the reason.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       store::Store& store,
                                                       workers::WorkerPool& pool);

  // Stop(0).
  ~Server();

  // As bound: with the port that was chosen for port 0.
  const std::vector<ListenAddress>& addresses() const;

  // Health turns to NOT_SERVING, new calls are refused with SHUTTING_DOWN,
  // calls under way get `drain` to finish and are then cancelled; then the
  // listeners close. Idempotent; blocks.
  void Stop(absl::Duration drain);

  // Makes a Stop that is under way cancel its calls now. Thread-safe.
  void Hurry();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_SERVER_H_
