#include "talweg/store/surface_builder.h"

#include <cstring>
#include <utility>

#include "absl/time/clock.h"
#include "shared_cost_surface_state.h"
#include "talweg/base/status_macros.h"
#include "talweg/cost/surface_statistics.h"
#include "talweg/store/segment_header.h"
#include "talweg/store/surface_rules.h"

namespace talweg::store {

SurfaceBuilder::SurfaceBuilder(SurfaceDescription description, WritableSegment segment,
                               uint64_t data_offset_bytes)
    : description_(std::move(description)),
      segment_(std::move(segment)),
      data_offset_bytes_(data_offset_bytes) {}

absl::StatusOr<SurfaceBuilder> SurfaceBuilder::Create(SurfaceDescription description) {
  TALWEG_RETURN_IF_ERROR(ValidateDescription(description));
  const SegmentPlan plan = PlanSegment(description);
  TALWEG_ASSIGN_OR_RETURN(WritableSegment segment, WritableSegment::Create(plan.segment_bytes));
  return SurfaceBuilder(std::move(description), std::move(segment), plan.data_offset_bytes);
}

std::span<std::byte> SurfaceBuilder::Cells() {
  return segment_.bytes().subspan(static_cast<size_t>(data_offset_bytes_));
}

void SurfaceBuilder::Append(std::string_view data) {
  if (data.empty()) return;
  std::memcpy(Cells().data() + filled_bytes_, data.data(), data.size());
  hasher_.Update(data);
  filled_bytes_ += data.size();
}

std::string SurfaceBuilder::CellsSha256() {
  return Sha256(Cells().first(static_cast<size_t>(filled_bytes_)));
}

absl::StatusOr<std::shared_ptr<const SharedCostSurface>> SurfaceBuilder::Seal(std::string name) && {
  TALWEG_ASSIGN_OR_RETURN(const SurfaceStatistics statistics,
                          ComputeStatistics(CostSurfaceView(description_, Cells().data())));
  WriteHeader(description_, statistics, CellsDigest(), segment_.bytes());
  TALWEG_ASSIGN_OR_RETURN(FileDescriptor sealed, std::move(segment_).Seal());
  // Read back as any receiver would: what is published is what was verified.
  TALWEG_ASSIGN_OR_RETURN(auto state, SharedCostSurface::State::Open(std::move(sealed)));
  state->name = std::move(name);
  state->publish_time = absl::Now();
  return std::shared_ptr<const SharedCostSurface>(new SharedCostSurface(std::move(state)));
}

}  // namespace talweg::store
