// Shared-memory segments: anonymous files (memfd) that are filled by one
// process, sealed for ever, and mapped read-only by others. They have no name
// in any file system: nothing to guess, nothing left behind by a killed
// process, and no dependence on the size of /dev/shm.
#ifndef TALWEG_STORE_SEGMENT_H_
#define TALWEG_STORE_SEGMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::store {

// An owned mapping of memory; unmapped with the object. Movable.
class SegmentMapping {
 public:
  SegmentMapping() = default;
  ~SegmentMapping();
  SegmentMapping(SegmentMapping&& other) noexcept;
  SegmentMapping& operator=(SegmentMapping&& other) noexcept;

  // Starts on a page.
  std::span<const std::byte> bytes() const { return {data_, static_cast<size_t>(size_bytes_)}; }
  const std::byte* data() const { return data_; }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  friend class WritableSegment;
  friend absl::StatusOr<SegmentMapping> MapSealedSegment(const FileDescriptor& segment);
  SegmentMapping(std::byte* data, uint64_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  void Unmap();

  std::byte* data_ = nullptr;
  uint64_t size_bytes_ = 0;
};

// A segment under construction: mapped for writing, by this process alone.
class WritableSegment {
 public:
  // Zero-filled, with all its memory reserved. `size_bytes` >= 1.
  // OUT_OF_MEMORY when the host cannot hold it, SYSTEM_CALL.
  static absl::StatusOr<WritableSegment> Create(uint64_t size_bytes);

  std::span<std::byte> bytes() {
    return {mapping_.data_, static_cast<size_t>(mapping_.size_bytes_)};
  }
  uint64_t size_bytes() const { return mapping_.size_bytes_; }

  // Ends writing: unmaps, seals against shrinking, growing, writing and
  // unsealing, and returns a read-only descriptor. SYSTEM_CALL.
  absl::StatusOr<FileDescriptor> Seal() &&;

 private:
  WritableSegment(FileDescriptor file, SegmentMapping mapping)
      : file_(std::move(file)), mapping_(std::move(mapping)) {}

  FileDescriptor file_;
  SegmentMapping mapping_;
};

// SEGMENT_INVALID unless the descriptor is a memfd with all four seals, opened
// read-only. What is sealed cannot change while it is read, whoever sent it.
absl::Status VerifySealed(const FileDescriptor& segment);

// Verifies and maps the whole segment read-only. SEGMENT_INVALID, SYSTEM_CALL.
absl::StatusOr<SegmentMapping> MapSealedSegment(const FileDescriptor& segment);

}  // namespace talweg::store

#endif  // TALWEG_STORE_SEGMENT_H_
