#include "surface_upload.h"

#include <zlib.h>

#include <algorithm>
#include <random>

#include "absl/time/clock.h"
#include "rpc_status.h"
#include "running_call.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::client {
namespace {

constexpr uint64_t kChunkBytes = 1024 * 1024;
constexpr int kMaxRetries = 5;

// Unique enough to tell this upload from every other one.
std::string RandomRequestId() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i) id += std::to_string(random());
  return id;
}

}  // namespace

SurfaceUpload::SurfaceUpload(v1::SurfaceService::Stub& stub, const PutSurfaceRequest& request,
                             const CallOptions& options)
    : stub_(stub),
      request_(request),
      options_(options),
      end_(absl::Now() + options.timeout),
      checksum_(XXH3_createState()) {
  XXH3_128bits_reset(checksum_.get());
}

absl::StatusOr<v1::Surface> SurfaceUpload::Run() {
  TALWEG_RETURN_IF_ERROR(Start());
  const auto send_all = [this] {
    return committed_bytes_ < request_.cells.size() ? Send() : absl::OkStatus();
  };
  absl::Status sent = send_all();
  while (!sent.ok() && sent.code() == absl::StatusCode::kUnavailable && retries_ < kMaxRetries) {
    TALWEG_RETURN_IF_ERROR(Resume());
    sent = send_all();
  }
  if (!sent.ok()) return sent;
  return Finish();
}

CallOptions SurfaceUpload::RestOfTime() const {
  return {.timeout = end_ - absl::Now(), .cancelled = options_.cancelled};
}

template <class Step>
absl::Status SurfaceUpload::Retry(Step step) {
  absl::Status status = step();
  while (status.code() == absl::StatusCode::kUnavailable && retries_ < kMaxRetries &&
         absl::Now() < end_ && !(options_.cancelled && options_.cancelled())) {
    absl::SleepFor(absl::Milliseconds(100) * (1 << retries_));
    ++retries_;
    status = step();
  }
  return status;
}

absl::Status SurfaceUpload::Start() {
  v1::StartUploadRequest start;
  start.set_surface_id(request_.surface_id);
  *start.mutable_description() = request_.description;
  start.set_create_only(request_.create_only);
  start.set_request_id(RandomRequestId());  // so that a retry opens no second one
  v1::StartUploadResponse started;
  TALWEG_RETURN_IF_ERROR(Retry([&] {
    const CallOptions rest = RestOfTime();
    RunningCall call(rest);
    return FromGrpcStatus(stub_.StartUpload(&call.context(), start, &started));
  }));
  if (started.size_bytes() != request_.cells.size()) {
    return InvalidValue("cells", std::to_string(request_.cells.size()) + " bytes",
                        std::to_string(started.size_bytes()) +
                            " bytes, as the description's shape and value type say");
  }
  upload_id_ = started.upload_id();
  committed_bytes_ = started.committed_offset();
  return absl::OkStatus();
}

void SurfaceUpload::AddToChecksum(uint64_t end) {
  if (end <= checksummed_bytes_) return;
  XXH3_128bits_update(checksum_.get(), request_.cells.data() + checksummed_bytes_,
                      end - checksummed_bytes_);
  checksummed_bytes_ = end;
}

absl::Status SurfaceUpload::Send() {
  const CallOptions rest = RestOfTime();
  RunningCall call(rest);
  v1::WriteUploadResponse response;
  const auto writer = stub_.WriteUpload(&call.context(), &response);
  v1::WriteUploadRequest chunk;
  chunk.set_upload_id(upload_id_);
  const uint64_t size = request_.cells.size();
  for (uint64_t offset = committed_bytes_; offset < size; offset += chunk.data().size()) {
    const std::string_view data = request_.cells.substr(offset, kChunkBytes);
    chunk.set_offset(offset);
    chunk.set_data(data.data(), data.size());
    chunk.set_crc32(static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size())));
    AddToChecksum(offset + data.size());
    if (!writer->Write(chunk)) break;  // Finish says why
    if (request_.on_progress) request_.on_progress(offset + data.size(), size);
  }
  writer->WritesDone();
  TALWEG_RETURN_IF_ERROR(FromGrpcStatus(writer->Finish()));
  committed_bytes_ = response.committed_offset();
  return absl::OkStatus();
}

absl::Status SurfaceUpload::Resume() {
  v1::QueryUploadRequest query;
  query.set_upload_id(upload_id_);
  v1::QueryUploadResponse state;
  ++retries_;
  TALWEG_RETURN_IF_ERROR(Retry([&] {
    const CallOptions rest = RestOfTime();
    RunningCall call(rest);
    return FromGrpcStatus(stub_.QueryUpload(&call.context(), query, &state));
  }));
  committed_bytes_ = state.committed_offset();
  return absl::OkStatus();
}

absl::StatusOr<v1::Surface> SurfaceUpload::Finish() {
  AddToChecksum(request_.cells.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(checksum_.get()));
  v1::FinishUploadRequest finish;
  finish.set_upload_id(upload_id_);
  finish.set_xxh3_128(canonical.digest, sizeof canonical.digest);
  v1::Surface surface;
  TALWEG_RETURN_IF_ERROR(Retry([&] {
    const CallOptions rest = RestOfTime();
    RunningCall call(rest);
    return FromGrpcStatus(stub_.FinishUpload(&call.context(), finish, &surface));
  }));
  return surface;
}

}  // namespace talweg::client
