// A cost field as a worker wrote it: a sealed segment, mapped read-only.
#ifndef TALWEG_WORKERS_FIELD_SEGMENT_H_
#define TALWEG_WORKERS_FIELD_SEGMENT_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "talweg/grid/shape.h"
#include "talweg/store/file_descriptor.h"
#include "talweg/store/segment.h"

namespace talweg::workers {

enum class FieldPart : bool { kAbsent = false, kPresent = true };

// Where the parts of a field lie in its segment: costs (float64), then
// back-links (uint8), then allocation (int32), each 64-byte aligned.
struct FieldLayout {
  Shape shape;
  uint64_t costs_offset_bytes = 0;
  uint64_t back_links_offset_bytes = 0;  // 0: absent
  uint64_t allocation_offset_bytes = 0;  // 0: absent
  uint64_t size_bytes = 0;

  friend bool operator==(const FieldLayout&, const FieldLayout&) = default;
};

// The one layout of a field of this shape with these parts.
FieldLayout PlanFieldLayout(const Shape& shape, FieldPart back_links, FieldPart allocation);

// Copies share the mapping; it is unmapped with the last of them. A
// default-constructed one is empty. Thread-safe to read.
class FieldSegment {
 public:
  FieldSegment() = default;

  // Verifies and maps a received segment. `layout` is what was agreed with the
  // worker, not what it claims. SEGMENT_INVALID, SYSTEM_CALL.
  static absl::StatusOr<FieldSegment> Receive(const store::FileDescriptor& segment,
                                              const FieldLayout& layout);

  const Shape& shape() const { return layout_.shape; }

  // Row-major, shape().cells() values each.
  std::span<const double> costs() const;        // +inf not reached, NaN impassable
  std::span<const uint8_t> back_links() const;  // empty when absent
  std::span<const int32_t> allocation() const;  // empty when absent

 private:
  FieldSegment(std::shared_ptr<const store::SegmentMapping> mapping, const FieldLayout& layout)
      : mapping_(std::move(mapping)), layout_(layout) {}

  std::shared_ptr<const store::SegmentMapping> mapping_;
  FieldLayout layout_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_FIELD_SEGMENT_H_
