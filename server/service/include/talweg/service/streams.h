// Streams as handlers see them: blocking, and free of gRPC, so that a test can
// stand in for the network.
#ifndef TALWEG_SERVICE_STREAMS_H_
#define TALWEG_SERVICE_STREAMS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talweg::service {

template <class T>
class StreamWriter {
 public:
  virtual ~StreamWriter() = default;
  // Hands a message over. At most one message is under way to the client
  // while the next is prepared: a slow client slows the handler. Fails when
  // the client is gone; the handler then returns that status.
  virtual absl::Status Write(T message) = 0;
};

template <class T>
class StreamReader {
 public:
  virtual ~StreamReader() = default;
  // The next message, valid until the next call; nullptr after the last one.
  // Fails when the client is gone.
  virtual absl::StatusOr<const T*> Read() = 0;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_STREAMS_H_
