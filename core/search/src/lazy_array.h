// Private memory that exists page by page, once touched, and reads as zero
// before. Address space for a whole surface costs nothing; a small search on a
// huge surface stays small (docs/adr/0004).
#ifndef TALWEG_SEARCH_LAZY_ARRAY_H_
#define TALWEG_SEARCH_LAZY_ARRAY_H_

#include <sys/mman.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "talweg/base/errors.h"

namespace talweg {

template <class T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LazyArray() = default;
  ~LazyArray() { Release(); }
  LazyArray(const LazyArray&) = delete;
  LazyArray& operator=(const LazyArray&) = delete;

  // Makes room for `count` zeros; what was there is gone. OUT_OF_MEMORY.
  absl::Status Reset(int64_t count) {
    Release();
    const size_t bytes = static_cast<size_t>(count) * sizeof(T);
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return OutOfMemory("search state", bytes);
    data_ = static_cast<T*>(pages);
    bytes_ = bytes;
    return absl::OkStatus();
  }

  // Gives the pages back; everything reads as zero again.
  void Discard() {
    if (data_ != nullptr) madvise(data_, bytes_, MADV_DONTNEED);
  }

  // Two-megabyte pages save page faults and TLB misses where most of the
  // array will be touched, and waste memory where little of it is.
  void SetHugePages(bool huge) {
    if (data_ != nullptr) madvise(data_, bytes_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size_bytes() const { return bytes_; }

 private:
  void Release() {
    if (data_ != nullptr) munmap(data_, bytes_);
    data_ = nullptr;
    bytes_ = 0;
  }

  T* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_LAZY_ARRAY_H_
