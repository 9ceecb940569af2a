#include "talweg/store/shared_cost_surface.h"

#include <utility>

#include "shared_cost_surface_state.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::store {
namespace {

constexpr size_t kRevisionBytes = 8;  // 16 hex digits

}  // namespace

absl::StatusOr<std::unique_ptr<SharedCostSurface::State>> SharedCostSurface::State::Open(
    FileDescriptor segment) {
  auto state = std::make_unique<State>();
  TALWEG_ASSIGN_OR_RETURN(state->mapping, MapSealedSegment(segment));
  TALWEG_ASSIGN_OR_RETURN(state->parsed, ParseSegment(state->mapping.bytes()));
  state->segment = std::move(segment);
  state->checksum = AsBytes(state->parsed.checksum);
  state->revision = ToHex(state->checksum.substr(0, kRevisionBytes));
  return state;
}

SharedCostSurface::SharedCostSurface(std::unique_ptr<State> state) : state_(std::move(state)) {}
SharedCostSurface::~SharedCostSurface() = default;

absl::StatusOr<std::shared_ptr<const SharedCostSurface>> SharedCostSurface::Receive(
    FileDescriptor segment) {
  TALWEG_ASSIGN_OR_RETURN(auto state, State::Open(std::move(segment)));
  return std::shared_ptr<const SharedCostSurface>(new SharedCostSurface(std::move(state)));
}

absl::Status SharedCostSurface::VerifyCells() const {
  const auto cells =
      state_->mapping.bytes().subspan(static_cast<size_t>(state_->parsed.data_offset_bytes));
  if (Xxh3(cells) == state_->parsed.cells_digest) return absl::OkStatus();
  return SegmentInvalid("its cells do not match their checksum");
}

CostSurfaceView SharedCostSurface::view() const {
  return {state_->parsed.description, state_->mapping.data() + state_->parsed.data_offset_bytes};
}

const SurfaceDescription& SharedCostSurface::description() const {
  return state_->parsed.description;
}
const SurfaceStatistics& SharedCostSurface::statistics() const { return state_->parsed.statistics; }
const std::string& SharedCostSurface::name() const { return state_->name; }
const std::string& SharedCostSurface::revision() const { return state_->revision; }
const std::string& SharedCostSurface::checksum() const { return state_->checksum; }
absl::Time SharedCostSurface::publish_time() const { return state_->publish_time; }
const FileDescriptor& SharedCostSurface::segment() const { return state_->segment; }

}  // namespace talweg::store
