#include "talweg/store/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "talweg/base/errors.h"

namespace talweg::store {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;

// Bytes the kernel believes it can hand out without swapping; the maximum when
// it does not say. Reserving more would not fail but wake the OOM killer.
uint64_t AvailableMemoryBytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  uint64_t value_kib = 0;
  std::string unit;
  while (meminfo >> key >> value_kib) {
    if (key == "MemAvailable:") return value_kib * 1024;
    std::getline(meminfo, unit);
  }
  return std::numeric_limits<uint64_t>::max();
}

absl::Status ReserveMemory(const FileDescriptor& file, uint64_t size_bytes) {
  if (size_bytes > AvailableMemoryBytes() ||
      size_bytes > static_cast<uint64_t>(std::numeric_limits<off_t>::max())) {
    return OutOfMemory("a shared-memory segment", size_bytes);
  }
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(file.get(), 0, static_cast<off_t>(size_bytes));
  if (error == ENOSPC || error == ENOMEM || error == EFBIG) {
    return OutOfMemory("a shared-memory segment", size_bytes);
  }
  if (error != 0) return SystemCallFailed("reserving shared memory", error);
  return absl::OkStatus();
}

// A new open file description of the same memory, read-only: kernels before
// 6.7 refuse to map a write-sealed memfd shared through a writable one, and a
// receiver has no use for write access.
absl::StatusOr<FileDescriptor> ReopenReadOnly(const FileDescriptor& file) {
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemCallFailed("opening shared memory read-only", errno);
  return FileDescriptor(fd);
}

}  // namespace

SegmentMapping::~SegmentMapping() { Unmap(); }

SegmentMapping::SegmentMapping(SegmentMapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

SegmentMapping& SegmentMapping::operator=(SegmentMapping&& other) noexcept {
  if (this != &other) {
    Unmap();
    data_ = std::exchange(other.data_, nullptr);
    size_bytes_ = std::exchange(other.size_bytes_, 0);
  }
  return *this;
}

void SegmentMapping::Unmap() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(size_bytes_));
  data_ = nullptr;
  size_bytes_ = 0;
}

absl::StatusOr<WritableSegment> WritableSegment::Create(uint64_t size_bytes) {
  FileDescriptor file(memfd_create("talweg", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid()) return SystemCallFailed("creating shared memory", errno);
  if (absl::Status reserved = ReserveMemory(file, size_bytes); !reserved.ok()) return reserved;
  void* data = mmap(nullptr, static_cast<size_t>(size_bytes), PROT_READ | PROT_WRITE, MAP_SHARED,
                    file.get(), 0);
  if (data == MAP_FAILED) return SystemCallFailed("mapping shared memory", errno);
  return WritableSegment(std::move(file),
                         SegmentMapping(static_cast<std::byte*>(data), size_bytes));
}

absl::StatusOr<FileDescriptor> WritableSegment::Seal() && {
  mapping_.Unmap();  // F_SEAL_WRITE fails while a writable mapping exists
  if (fcntl(file_.get(), F_ADD_SEALS, kSeals) != 0) {
    return SystemCallFailed("sealing shared memory", errno);
  }
  absl::StatusOr<FileDescriptor> read_only = ReopenReadOnly(file_);
  file_.Reset();
  return read_only;
}

absl::Status VerifySealed(const FileDescriptor& segment) {
  // Only memory files know seals: any other kind of file fails here.
  const int seals = fcntl(segment.get(), F_GET_SEALS);
  if (seals < 0) return SegmentInvalid("it is not a sealable memory file");
  if ((seals & kSeals) != kSeals) return SegmentInvalid("its seals are incomplete");
  const int flags = fcntl(segment.get(), F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY) {
    return SegmentInvalid("its descriptor is not read-only");
  }
  return absl::OkStatus();
}

absl::StatusOr<SegmentMapping> MapSealedSegment(const FileDescriptor& segment) {
  if (absl::Status sealed = VerifySealed(segment); !sealed.ok()) return sealed;
  struct stat status;
  if (fstat(segment.get(), &status) != 0) {
    return SystemCallFailed("reading the size of shared memory", errno);
  }
  if (status.st_size <= 0) return SegmentInvalid("it is empty");
  const auto size_bytes = static_cast<uint64_t>(status.st_size);
  void* data =
      mmap(nullptr, static_cast<size_t>(size_bytes), PROT_READ, MAP_SHARED, segment.get(), 0);
  if (data == MAP_FAILED) return SystemCallFailed("mapping shared memory", errno);
  return SegmentMapping(static_cast<std::byte*>(data), size_bytes);
}

}  // namespace talweg::store
