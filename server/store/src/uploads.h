// Uploads under way, and what became of the recent ones.
#ifndef TALWEG_STORE_UPLOADS_H_
#define TALWEG_STORE_UPLOADS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/store/store.h"
#include "talweg/store/surface_builder.h"

namespace talweg::store {

using SurfacePtr = std::shared_ptr<const SharedCostSurface>;

// One upload. Its calls are serialised by its own lock, so that the long ones
// (reserving and sealing hundreds of megabytes) hold up nobody else.
class Upload {
 public:
  Upload(std::string upload_id, const StartUploadRequest& request);

  const std::string& upload_id() const { return upload_id_; }
  const std::string& surface_id() const { return surface_id_; }
  const std::string& request_id() const { return request_id_; }
  const Digest128& fingerprint() const { return fingerprint_; }
  bool create_only() const { return create_only_; }

  // Reserves the memory; first call only, later ones return its outcome.
  absl::StatusOr<UploadState> Reserve(const SurfaceDescription& description);
  absl::StatusOr<uint64_t> Write(uint64_t offset, std::string_view data, uint32_t crc32);
  absl::StatusOr<UploadState> Query() const;
  // `publish` is called with the sealed surface, at most once in an upload's
  // life. A finished upload gives its revision again while that lives.
  absl::StatusOr<SurfacePtr> Finish(const UploadChecksum& checksum,
                                    const std::function<absl::Status(SurfacePtr)>& publish);

  bool is_open() const { return phase_.load() <= Phase::kOpen; }
  bool is_ended() const { return phase_.load() == Phase::kEnded; }
  // Untouched for `ttl` and in nobody's hands.
  bool IsAbandoned(absl::Duration ttl) const;

 private:
  enum class Phase { kNew, kOpen, kFinished, kEnded };

  absl::Status End(absl::Status why);
  absl::Status CheckWhole(const UploadChecksum& checksum);
  void Touch() { touched_ = std::chrono::steady_clock::now(); }

  const std::string upload_id_;
  const std::string surface_id_;
  const std::string request_id_;
  const Digest128 fingerprint_;
  const bool create_only_;

  mutable std::mutex mutex_;
  std::atomic<Phase> phase_ = Phase::kNew;
  std::chrono::steady_clock::time_point touched_;
  std::optional<SurfaceBuilder> builder_;  // while kOpen
  uint64_t size_bytes_ = 0;
  absl::Status end_status_;                         // when kEnded
  UploadChecksum accepted_checksum_;                // when kFinished
  std::string revision_;                            // likewise
  std::weak_ptr<const SharedCostSurface> surface_;  // does not keep a retired revision alive
};

// The table of uploads. Thread-safe. A thread of its own drops abandoned ones.
class Uploads {
 public:
  Uploads(uint64_t max_open, absl::Duration ttl);
  ~Uploads();

  // The upload of this request: a new one, or the one that its request_id
  // began. `admit` is asked for new ones only. REQUEST_ID_REUSED,
  // LIMIT_EXCEEDED, or what `admit` says.
  absl::StatusOr<std::shared_ptr<Upload>> FindOrAdd(const StartUploadRequest& request,
                                                    const std::function<absl::Status()>& admit);

  // UPLOAD_NOT_FOUND.
  absl::StatusOr<std::shared_ptr<Upload>> Find(std::string_view upload_id) const;

  void Remove(const Upload& upload);

 private:
  void SweepLoop(const std::stop_token& stop);
  void Sweep();

  const uint64_t max_open_;
  const absl::Duration ttl_;
  mutable std::mutex mutex_;
  std::condition_variable_any sweep_wake_;
  std::map<std::string, std::shared_ptr<Upload>, std::less<>> by_id_;
  std::map<std::string, std::shared_ptr<Upload>, std::less<>> by_request_id_;
  std::jthread sweeper_;  // last: ends before what it uses
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_UPLOADS_H_
