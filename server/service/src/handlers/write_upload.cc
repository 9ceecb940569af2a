#include <string>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/handlers.h"

namespace talweg::service {
namespace {

absl::Status CheckChunk(const v1::WriteUploadRequest& chunk, const std::string& upload_id,
                        const ServiceLimits& limits) {
  if (upload_id.empty()) return MissingField("upload_id", "an id returned by StartUpload");
  if (!chunk.upload_id().empty() && chunk.upload_id() != upload_id) {
    return InvalidValue("upload_id", chunk.upload_id(),
                        "empty, or the id of the first message of the stream");
  }
  if (chunk.data().empty() || chunk.data().size() > limits.max_chunk_bytes) {
    return InvalidValue("data", std::to_string(chunk.data().size()) + " bytes",
                        "1 to " + std::to_string(limits.max_chunk_bytes) + " bytes");
  }
  return absl::OkStatus();
}

}  // namespace

// Each chunk is committed as it comes: what arrived before a cut stays.
absl::Status WriteUpload(CallContext& call, StreamReader<v1::WriteUploadRequest>& reader,
                         v1::WriteUploadResponse& response) {
  std::string upload_id;
  for (;;) {
    TALWEG_RETURN_IF_ERROR(call.CheckAlive());
    TALWEG_ASSIGN_OR_RETURN(const v1::WriteUploadRequest* chunk, reader.Read());
    if (chunk == nullptr) break;
    if (upload_id.empty()) upload_id = chunk->upload_id();
    TALWEG_RETURN_IF_ERROR(CheckChunk(*chunk, upload_id, call.backend.limits));
    TALWEG_ASSIGN_OR_RETURN(
        const uint64_t committed,
        call.backend.store.WriteUpload(upload_id, chunk->offset(), chunk->data(), chunk->crc32()));
    response.set_committed_offset(committed);
  }
  if (upload_id.empty()) return MissingField("upload_id", "an id returned by StartUpload");
  return absl::OkStatus();
}

}  // namespace talweg::service
