// Wakes a thread that waits in poll().
#ifndef TALWEG_WORKERS_WAKER_H_
#define TALWEG_WORKERS_WAKER_H_

#include "absl/status/statusor.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::workers {

// An eventfd: any thread calls Wake, the waiting one polls descriptor() for
// POLLIN and calls Clear. Wakes add up to one.
class Waker {
 public:
  // SYSTEM_CALL.
  static absl::StatusOr<Waker> Make();

  void Wake() const;
  void Clear() const;
  int descriptor() const { return event_.get(); }

 private:
  explicit Waker(store::FileDescriptor event) : event_(std::move(event)) {}
  store::FileDescriptor event_;
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WAKER_H_
