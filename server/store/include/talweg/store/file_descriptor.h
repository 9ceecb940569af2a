// Ownership of a file descriptor.
#ifndef TALWEG_STORE_FILE_DESCRIPTOR_H_
#define TALWEG_STORE_FILE_DESCRIPTOR_H_

#include <utility>

#include "absl/status/statusor.h"

namespace talweg::store {

// Owns one descriptor and closes it. Movable, not copyable; an empty one holds
// -1. Every descriptor made by this project is close-on-exec.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { Reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      Reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

  // Gives the descriptor away; the object is then empty.
  int Release() { return std::exchange(fd_, -1); }

  // Closes now.
  void Reset();

  // A second descriptor of the same open file, close-on-exec. SYSTEM_CALL.
  absl::StatusOr<FileDescriptor> Duplicate() const;

 private:
  int fd_ = -1;
};

}  // namespace talweg::store

#endif  // TALWEG_STORE_FILE_DESCRIPTOR_H_
