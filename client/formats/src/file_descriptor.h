#ifndef TALWEG_FORMATS_SRC_FILE_DESCRIPTOR_H_
#define TALWEG_FORMATS_SRC_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace talweg::formats {

// Owns an open file; -1 is none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Gives it up: the caller closes it.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_FILE_DESCRIPTOR_H_
