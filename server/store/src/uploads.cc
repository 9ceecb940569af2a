#include "uploads.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/store/checksum.h"
#include "talweg/store/segment_header.h"

namespace talweg::store {
namespace {

constexpr size_t kXxh3Bytes = 16;
constexpr size_t kSha256Bytes = 32;
// Open uploads and the records of finished ones.
constexpr size_t kMaxRecords = 10000;

// 128 random bits: who does not know an id cannot write to the upload.
absl::StatusOr<std::string> NewUploadId() {
  std::array<char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return SystemCallFailed("drawing random bytes", errno);
  }
  return ToHex({bytes.data(), bytes.size()});
}

// What makes two StartUpload requests the same request.
Digest128 Fingerprint(const StartUploadRequest& request) {
  Xxh3Hasher hasher;
  const auto add_text = [&hasher](std::string_view text) {
    const uint64_t size = text.size();
    hasher.Update(std::as_bytes(std::span(&size, 1)));
    hasher.Update(text);
  };
  add_text(AsBytes(RevisionChecksum(request.description, Digest128{})));
  add_text(request.surface_id);
  add_text(request.create_only ? "create" : "replace");
  add_text(request.description.crs.name);
  for (const auto& [key, value] : request.description.labels) {
    add_text(key);
    add_text(value);
  }
  return hasher.Digest();
}

}  // namespace

Upload::Upload(std::string upload_id, const StartUploadRequest& request)
    : upload_id_(std::move(upload_id)),
      surface_id_(request.surface_id),
      request_id_(request.request_id),
      fingerprint_(Fingerprint(request)),
      create_only_(request.create_only),
      touched_(std::chrono::steady_clock::now()) {}

absl::Status Upload::End(absl::Status why) {
  phase_ = Phase::kEnded;
  builder_.reset();
  end_status_ = why;
  return why;
}

absl::StatusOr<UploadState> Upload::Reserve(const SurfaceDescription& description) {
  {
    const std::lock_guard lock(mutex_);
    Touch();
    if (phase_ == Phase::kNew) {
      absl::StatusOr<SurfaceBuilder> builder = SurfaceBuilder::Create(description);
      if (!builder.ok()) return End(builder.status());
      builder_.emplace(*std::move(builder));
      size_bytes_ = builder_->size_bytes();
      phase_ = Phase::kOpen;
    }
    if (phase_ == Phase::kEnded) return end_status_;
  }
  return Query();
}

absl::StatusOr<uint64_t> Upload::Write(uint64_t offset, std::string_view data, uint32_t crc32) {
  const std::lock_guard lock(mutex_);
  if (phase_ != Phase::kOpen) return UploadNotFound(upload_id_);
  Touch();
  const uint64_t committed = builder_->filled_bytes();
  if (offset != committed) return WrongOffset(offset, committed);
  if (data.size() > size_bytes_ - committed) {
    return UploadTooLong(offset + data.size(), size_bytes_);
  }
  if (const uint32_t computed = Crc32(data); computed != crc32) {
    return ChecksumMismatch("chunk at offset " + std::to_string(offset), std::to_string(crc32),
                            std::to_string(computed));
  }
  builder_->Append(data);
  return builder_->filled_bytes();
}

absl::StatusOr<UploadState> Upload::Query() const {
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::kEnded || phase_ == Phase::kNew) return UploadNotFound(upload_id_);
  return UploadState{.upload_id = upload_id_,
                     .committed_offset = builder_ ? builder_->filled_bytes() : size_bytes_,
                     .size_bytes = size_bytes_};
}

absl::Status Upload::CheckWhole(const UploadChecksum& checksum) {
  const bool by_xxh3 = !checksum.xxh3_128.empty();
  const std::string expected = by_xxh3 ? checksum.xxh3_128 : checksum.sha256;
  const std::string computed =
      by_xxh3 ? std::string(AsBytes(builder_->CellsDigest())) : builder_->CellsSha256();
  if (computed == expected) return absl::OkStatus();
  return ChecksumMismatch("whole upload", ToHex(expected), ToHex(computed));
}

absl::StatusOr<SurfacePtr> Upload::Finish(const UploadChecksum& checksum,
                                          const std::function<absl::Status(SurfacePtr)>& publish) {
  if (checksum.xxh3_128.empty() == checksum.sha256.empty()) {
    return MissingField("checksum", "exactly one of xxh3_128 and sha256");
  }
  if (!checksum.xxh3_128.empty() && checksum.xxh3_128.size() != kXxh3Bytes) {
    return InvalidValue("xxh3_128", ToHex(checksum.xxh3_128), "16 bytes");
  }
  if (!checksum.sha256.empty() && checksum.sha256.size() != kSha256Bytes) {
    return InvalidValue("sha256", ToHex(checksum.sha256), "32 bytes");
  }
  const std::lock_guard lock(mutex_);
  Touch();
  if (phase_ == Phase::kFinished) {
    // The repeated call of a client that missed the first answer.
    if (checksum.xxh3_128 != accepted_checksum_.xxh3_128 ||
        checksum.sha256 != accepted_checksum_.sha256) {
      return ChecksumMismatch("whole upload", ToHex(checksum.xxh3_128 + checksum.sha256),
                              ToHex(accepted_checksum_.xxh3_128 + accepted_checksum_.sha256));
    }
    SurfacePtr surface = surface_.lock();
    if (surface == nullptr) return RevisionNotFound("surfaces/" + surface_id_, revision_, "newer");
    return surface;
  }
  if (phase_ != Phase::kOpen) return UploadNotFound(upload_id_);
  if (builder_->filled_bytes() != size_bytes_) {
    return UploadIncomplete(builder_->filled_bytes(), size_bytes_);
  }
  if (absl::Status whole = CheckWhole(checksum); !whole.ok()) return End(whole);
  absl::StatusOr<SurfacePtr> surface = std::move(*builder_).Seal("surfaces/" + surface_id_);
  if (!surface.ok()) return End(surface.status());
  if (absl::Status published = publish(*surface); !published.ok()) return End(published);
  phase_ = Phase::kFinished;
  builder_.reset();
  accepted_checksum_ = checksum;
  revision_ = (*surface)->revision();
  surface_ = *surface;
  Touch();
  return surface;
}

bool Upload::IsAbandoned(absl::Duration ttl) const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  return absl::FromChrono(std::chrono::steady_clock::now() - touched_) > ttl;
}

Uploads::Uploads(uint64_t max_open, absl::Duration ttl)
    : max_open_(max_open),
      ttl_(ttl),
      sweeper_([this](const std::stop_token& stop) { SweepLoop(stop); }) {}

Uploads::~Uploads() = default;

absl::StatusOr<std::shared_ptr<Upload>> Uploads::FindOrAdd(
    const StartUploadRequest& request, const std::function<absl::Status()>& admit) {
  TALWEG_ASSIGN_OR_RETURN(std::string upload_id, NewUploadId());
  auto upload = std::make_shared<Upload>(std::move(upload_id), request);
  const std::lock_guard lock(mutex_);
  if (const auto found = by_request_id_.find(request.request_id);
      !request.request_id.empty() && found != by_request_id_.end() && !found->second->is_ended()) {
    if (found->second->fingerprint() != upload->fingerprint()) {
      return RequestIdReused(request.request_id);
    }
    return found->second;
  }
  TALWEG_RETURN_IF_ERROR(admit());
  const auto open = static_cast<uint64_t>(
      std::ranges::count_if(by_id_, [](const auto& entry) { return entry.second->is_open(); }));
  if (open >= max_open_) {
    return LimitExceeded("max_open_uploads", std::to_string(open + 1), std::to_string(max_open_));
  }
  if (by_id_.size() >= kMaxRecords) {
    // Any of the finished ones may go; a repeated FinishUpload for it will
    // then find nothing.
    const auto finished =
        std::ranges::find_if(by_id_, [](const auto& entry) { return !entry.second->is_open(); });
    if (finished != by_id_.end()) {
      by_request_id_.erase(finished->second->request_id());
      by_id_.erase(finished);
    }
  }
  by_id_[upload->upload_id()] = upload;
  if (!request.request_id.empty()) by_request_id_[request.request_id] = upload;
  return upload;
}

absl::StatusOr<std::shared_ptr<Upload>> Uploads::Find(std::string_view upload_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(upload_id);
  // One that is due is gone, whether or not the sweeper was there already.
  if (found == by_id_.end() || found->second->IsAbandoned(ttl_)) {
    return UploadNotFound(upload_id);
  }
  return found->second;
}

void Uploads::Remove(const Upload& upload) {
  std::shared_ptr<Upload> removed;  // freed after the lock
  const std::lock_guard lock(mutex_);
  const auto by_request = by_request_id_.find(upload.request_id());
  if (by_request != by_request_id_.end() && by_request->second.get() == &upload) {
    by_request_id_.erase(by_request);
  }
  const auto by_id = by_id_.find(upload.upload_id());
  if (by_id == by_id_.end()) return;
  removed = std::move(by_id->second);
  by_id_.erase(by_id);
}

void Uploads::SweepLoop(const std::stop_token& stop) {
  const auto period =
      absl::ToChronoMilliseconds(std::clamp(ttl_ / 4, absl::Milliseconds(5), absl::Seconds(10)));
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      sweep_wake_.wait_for(lock, stop, period, [] { return false; });
    }
    Sweep();
  }
}

void Uploads::Sweep() {
  std::vector<std::shared_ptr<Upload>> abandoned;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, upload] : by_id_) {
      if (upload->IsAbandoned(ttl_)) abandoned.push_back(upload);
    }
  }
  for (const auto& upload : abandoned) Remove(*upload);
}

}  // namespace talweg::store
