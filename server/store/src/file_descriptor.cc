#include "talweg/store/file_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "talweg/base/errors.h"

namespace talweg::store {

void FileDescriptor::Reset() {
  // No retry on EINTR: Linux has released the number by then, and another
  // thread may own it already.
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

absl::StatusOr<FileDescriptor> FileDescriptor::Duplicate() const {
  const int copy = fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return SystemCallFailed("duplicating a descriptor", errno);
  return FileDescriptor(copy);
}

}  // namespace talweg::store
