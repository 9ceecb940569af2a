#include "descriptors.h"

#include <fcntl.h>
#include <unistd.h>

namespace talweg::app {

bool AdoptDescriptor(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

void AnnounceReady(int fd, const std::string& line) {
  if (fd < 0) return;
  const std::string text = line + "\n";
  // One short write into a pipe is whole or not at all; a parent that has left
  // is noticed by the lifeline.
  [[maybe_unused]] const ssize_t written = write(fd, text.data(), text.size());
  close(fd);
}

}  // namespace talweg::app
