#include "talweg/workers/field_segment.h"

#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::workers {
namespace {

constexpr uint64_t kAlignmentBytes = 64;

uint64_t RoundUp(uint64_t value) {
  return (value + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

}  // namespace

FieldLayout PlanFieldLayout(const Shape& shape, FieldPart back_links, FieldPart allocation) {
  const auto cells = static_cast<uint64_t>(shape.cells());
  FieldLayout layout{.shape = shape};
  uint64_t end = RoundUp(cells * sizeof(double));
  if (back_links == FieldPart::kPresent) {
    layout.back_links_offset_bytes = end;
    end += RoundUp(cells);
  }
  if (allocation == FieldPart::kPresent) {
    layout.allocation_offset_bytes = end;
    end += RoundUp(cells * sizeof(int32_t));
  }
  layout.size_bytes = end;
  return layout;
}

absl::StatusOr<FieldSegment> FieldSegment::Receive(const store::FileDescriptor& segment,
                                                   const FieldLayout& layout) {
  TALWEG_ASSIGN_OR_RETURN(store::SegmentMapping mapping, store::MapSealedSegment(segment));
  if (mapping.size_bytes() != layout.size_bytes) {
    return SegmentInvalid("a field has " + std::to_string(mapping.size_bytes()) +
                          " bytes; expected " + std::to_string(layout.size_bytes));
  }
  return FieldSegment(std::make_shared<const store::SegmentMapping>(std::move(mapping)), layout);
}

std::span<const double> FieldSegment::costs() const {
  if (mapping_ == nullptr) return {};
  return {reinterpret_cast<const double*>(mapping_->data() + layout_.costs_offset_bytes),
          static_cast<size_t>(layout_.shape.cells())};
}

std::span<const uint8_t> FieldSegment::back_links() const {
  if (layout_.back_links_offset_bytes == 0) return {};
  return {reinterpret_cast<const uint8_t*>(mapping_->data() + layout_.back_links_offset_bytes),
          static_cast<size_t>(layout_.shape.cells())};
}

std::span<const int32_t> FieldSegment::allocation() const {
  if (layout_.allocation_offset_bytes == 0) return {};
  return {reinterpret_cast<const int32_t*>(mapping_->data() + layout_.allocation_offset_bytes),
          static_cast<size_t>(layout_.shape.cells())};
}

}  // namespace talweg::workers
