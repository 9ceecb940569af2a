// The upload of one surface: chunks, checksums, resumption.
#ifndef TALWEG_CLIENT_SURFACE_UPLOAD_H_
#define TALWEG_CLIENT_SURFACE_UPLOAD_H_

#include <xxhash.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/client/client.h"
#include "talweg/v1/surface.grpc.pb.h"

namespace talweg::client {

// Used once. The whole's checksum is computed chunk by chunk while sending.
class SurfaceUpload {
 public:
  SurfaceUpload(v1::SurfaceService::Stub& stub, const PutSurfaceRequest& request,
                const CallOptions& options);

  absl::StatusOr<v1::Surface> Run();

 private:
  absl::Status Start();
  // Sends from the committed offset on, in one stream.
  absl::Status Send();
  absl::Status Resume();
  absl::StatusOr<v1::Surface> Finish();
  // Reads the cells up to `end` into the checksum, once.
  void AddToChecksum(uint64_t end);

  // Runs `step`, and again after a wait while the server is away: five times
  // in all over the whole upload.
  template <class Step>
  absl::Status Retry(Step step);

  CallOptions RestOfTime() const;

  struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  v1::SurfaceService::Stub& stub_;
  const PutSurfaceRequest& request_;
  const CallOptions& options_;
  const absl::Time end_;
  std::unique_ptr<XXH3_state_t, FreeState> checksum_;
  uint64_t checksummed_bytes_ = 0;
  std::string upload_id_;
  uint64_t committed_bytes_ = 0;
  int retries_ = 0;
};

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_SURFACE_UPLOAD_H_
