#include "talweg/store/store.h"

#include <utility>

#include "catalogue.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/store/surface_rules.h"
#include "uploads.h"

namespace talweg::store {

// Budgets, quotas and the durable catalogue will be further members here: a
// ledger asked in StartUpload, a writer called before Publish.
struct Store::State {
  explicit State(const StoreLimits& limits)
      : catalogue(limits.max_surfaces), uploads(limits.max_open_uploads, limits.upload_ttl) {}

  Catalogue catalogue;
  Uploads uploads;
};

Store::Store(const StoreLimits& limits) : state_(std::make_unique<State>(limits)) {}
Store::~Store() = default;

absl::StatusOr<UploadState> Store::StartUpload(const StartUploadRequest& request) {
  TALWEG_RETURN_IF_ERROR(ValidateSurfaceId("surface_id", request.surface_id));
  if (const absl::Status valid = ValidateDescription(request.description); !valid.ok()) {
    return PrependField(valid, "description");
  }
  if (request.request_id.size() > kMaxRequestIdBytes) {
    return InvalidValue("request_id", request.request_id,
                        "at most " + std::to_string(kMaxRequestIdBytes) + " bytes");
  }
  const Replace replace = request.create_only ? Replace::kRefused : Replace::kAllowed;
  TALWEG_ASSIGN_OR_RETURN(const std::shared_ptr<Upload> upload,
                          state_->uploads.FindOrAdd(request, [&] {
                            return state_->catalogue.CheckRoom(request.surface_id, replace);
                          }));
  absl::StatusOr<UploadState> reserved = upload->Reserve(request.description);
  if (upload->is_ended()) state_->uploads.Remove(*upload);
  return reserved;
}

absl::StatusOr<uint64_t> Store::WriteUpload(std::string_view upload_id, uint64_t offset,
                                            std::string_view data, uint32_t crc32) {
  TALWEG_ASSIGN_OR_RETURN(const auto upload, state_->uploads.Find(upload_id));
  return upload->Write(offset, data, crc32);
}

absl::StatusOr<UploadState> Store::QueryUpload(std::string_view upload_id) const {
  TALWEG_ASSIGN_OR_RETURN(const auto upload, state_->uploads.Find(upload_id));
  return upload->Query();
}

absl::StatusOr<std::shared_ptr<const SharedCostSurface>> Store::FinishUpload(
    std::string_view upload_id, const UploadChecksum& checksum) {
  TALWEG_ASSIGN_OR_RETURN(const auto upload, state_->uploads.Find(upload_id));
  const Replace replace = upload->create_only() ? Replace::kRefused : Replace::kAllowed;
  absl::StatusOr<SurfacePtr> finished = upload->Finish(checksum, [&](SurfacePtr surface) {
    return state_->catalogue.Publish(upload->surface_id(), std::move(surface), replace);
  });
  if (upload->is_ended()) state_->uploads.Remove(*upload);
  return finished;
}

absl::StatusOr<std::shared_ptr<const SharedCostSurface>> Store::Open(std::string_view name) const {
  TALWEG_ASSIGN_OR_RETURN(const SurfaceName parsed, ParseSurfaceName(name));
  return state_->catalogue.Open(parsed);
}

std::vector<std::shared_ptr<const SharedCostSurface>> Store::List() const {
  return state_->catalogue.List();
}

absl::Status Store::Delete(std::string_view name) {
  TALWEG_ASSIGN_OR_RETURN(const SurfaceName parsed, ParseSurfaceName(name));
  if (!parsed.revision.empty()) {
    return InvalidValue("name", name, "surfaces/{id}: a surface is deleted with all it was");
  }
  return state_->catalogue.Delete(parsed);
}

StoreUsage Store::usage() const { return state_->catalogue.Usage(); }

}  // namespace talweg::store
