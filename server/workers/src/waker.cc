#include "waker.h"

#include <sys/eventfd.h>

#include <cerrno>

#include "talweg/base/errors.h"

namespace talweg::workers {

absl::StatusOr<Waker> Waker::Make() {
  store::FileDescriptor event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.valid()) return SystemCallFailed("creating an event", errno);
  return Waker(std::move(event));
}

void Waker::Wake() const {
  // Fails only when the counter is full, and then the reader is awake anyway.
  [[maybe_unused]] const int result = eventfd_write(event_.get(), 1);
}

void Waker::Clear() const {
  eventfd_t count = 0;
  [[maybe_unused]] const int result = eventfd_read(event_.get(), &count);
}

}  // namespace talweg::workers
