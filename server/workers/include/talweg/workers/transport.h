// The way between server and worker: whole messages, each with at most one
// file descriptor beside it. An interface, so that a worker on another machine
// stays possible; the Unix socket is its one implementation.
#ifndef TALWEG_WORKERS_TRANSPORT_H_
#define TALWEG_WORKERS_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "talweg/base/stop_token.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::workers {

// Longer messages are refused on both sides; large results travel in shared
// memory.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{64} << 20;

enum class Attachment : uint8_t {
  kNone,
  kPresent,
  kLost,  // sent, but this process had no descriptor free (EMFILE, MSG_CTRUNC)
};

struct ReceivedMessage {
  std::string bytes;  // one serialised protobuf message
  Attachment attachment = Attachment::kNone;
  store::FileDescriptor descriptor;  // valid when kPresent
};

// One end of a connection. Used by one thread at a time.
class Transport {
 public:
  virtual ~Transport() = default;

  // Sends the whole message, waiting until `deadline` for room. A valid
  // `attachment` goes with it (the receiver gets a descriptor of its own).
  // LIMIT_EXCEEDED for a message over kMaxMessageBytes, of which nothing is
  // sent; PROTOCOL_ERROR when the other end is gone or does not read;
  // SYSTEM_CALL. After any but the first the connection is of no more use.
  virtual absl::Status Send(const google::protobuf::MessageLite& message,
                            const store::FileDescriptor& attachment, MonotonicTime deadline) = 0;

  // The next whole message that has arrived, or nothing; never waits.
  // PROTOCOL_ERROR for bytes that are no message, a message over
  // kMaxMessageBytes, or an end in mid-message; SYSTEM_CALL.
  virtual absl::StatusOr<std::optional<ReceivedMessage>> Receive() = 0;

  // Whether the other end has closed and everything was received.
  virtual bool at_end() const = 0;

  // For poll(): readable when Receive may have something new.
  virtual int poll_descriptor() const = 0;
};

// A transport over a connected SOCK_STREAM Unix socket. A message is a header
// of 12 bytes (magic "TwM1", length, flags; little-endian) and its bytes;
// descriptors travel by SCM_RIGHTS beside the first byte.
std::unique_ptr<Transport> MakeUnixSocketTransport(store::FileDescriptor socket);

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TRANSPORT_H_
