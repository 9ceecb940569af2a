// Typed calls to a Talweg server: deadlines, retries, chunking. Speaks the
// messages of protos/talweg/v1 and nothing else.
#ifndef TALWEG_CLIENT_CLIENT_H_
#define TALWEG_CLIENT_CLIENT_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "talweg/v1/path.pb.h"
#include "talweg/v1/server.pb.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::client {

struct ConnectOptions {
  absl::Duration connect_timeout = absl::Seconds(5);
};

struct CallOptions {
  absl::Duration timeout = absl::InfiniteDuration();
  // Polled while a call runs: true cancels it. May be called from any thread.
  std::function<bool()> cancelled = [] { return false; };
};

struct PutSurfaceRequest {
  std::string surface_id;
  v1::SurfaceDescription description;
  bool create_only = false;
  // All cells, little-endian, row-major; borrowed for the call.
  std::string_view cells;
  std::function<void(uint64_t sent_bytes, uint64_t total_bytes)> on_progress = [](auto, auto) {};
};

// Callbacks of the streamed answers; called in the order of the stream, on the
// calling thread. A non-OK status returned by one cancels the call and is its
// result.
struct AnswerHandlers {
  std::function<absl::Status(const v1::AnswerHeader&)> on_header;
  std::function<absl::Status(const v1::PairBlock&)> on_pairs;
  std::function<absl::Status(const v1::FieldBlock&)> on_field_block;
  std::function<void(const v1::Progress&)> on_progress;
};

// Thread-safe. Errors are the server's, rebuilt with their details
// (talweg/base/errors.h: GetErrorDetail), or UNAVAILABLE.
class Client {
 public:
  // `address`: "host:port" or "unix:PATH". UNAVAILABLE when nobody answers
  // within the time-out; INVALID_VALUE for a malformed address.
  static absl::StatusOr<std::unique_ptr<Client>> Connect(const std::string& address,
                                                         const ConnectOptions& options = {});
  ~Client();

  // Uploads in 1 MiB chunks with checksums, resumes at the committed offset
  // after a broken connection (up to 5 times), finishes.
  absl::StatusOr<v1::Surface> PutSurface(const PutSurfaceRequest& request,
                                         const CallOptions& options = {});
  absl::StatusOr<v1::Surface> GetSurface(const std::string& name);
  absl::StatusOr<std::vector<v1::Surface>> ListSurfaces();
  absl::Status DeleteSurface(const std::string& name);
  absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo();

  absl::StatusOr<v1::AnswerSummary> FindRoutes(const v1::FindRoutesRequest& request,
                                               const AnswerHandlers& handlers,
                                               const CallOptions& options = {});
  absl::StatusOr<v1::AnswerSummary> ComputeMatrix(const v1::ComputeMatrixRequest& request,
                                                  const AnswerHandlers& handlers,
                                                  const CallOptions& options = {});
  // Checks each block's CRC-32 (CHECKSUM_MISMATCH).
  absl::StatusOr<v1::FieldSummary> ComputeCostField(const v1::ComputeCostFieldRequest& request,
                                                    const AnswerHandlers& handlers,
                                                    const CallOptions& options = {});

 private:
  struct Stubs;
  explicit Client(std::unique_ptr<Stubs> stubs);
  std::unique_ptr<Stubs> stubs_;
};

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_CLIENT_H_
