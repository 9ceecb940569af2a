#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <utility>

#include "poll_wait.h"
#include "talweg/base/errors.h"
#include "talweg/workers/transport.h"

namespace talweg::workers {
namespace {

constexpr std::array<char, 4> kMagic = {'T', 'w', 'M', '1'};
constexpr uint32_t kFlagDescriptor = 1;
// A peer that sends descriptors which no message speaks of is broken.
constexpr size_t kMaxPendingDescriptors = 16;
// Memory grows with the bytes that arrive, not with the length that a header
// claims.
constexpr size_t kReadBytes = size_t{64} << 10;

struct FrameHeader {
  std::array<char, 4> magic;
  uint32_t length_bytes;
  uint32_t flags;
};
static_assert(sizeof(FrameHeader) == 12);

// Room for exactly one descriptor: CMSG_SPACE would, by its padding, let a
// second one in.
union OneDescriptorControl {
  cmsghdr align;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

class UnixSocketTransport : public Transport {
 public:
  explicit UnixSocketTransport(store::FileDescriptor socket) : socket_(std::move(socket)) {}

  absl::Status Send(const google::protobuf::MessageLite& message,
                    const store::FileDescriptor& attachment, MonotonicTime deadline) override;
  absl::StatusOr<std::optional<ReceivedMessage>> Receive() override;
  bool at_end() const override { return peer_closed_ && buffer_.empty(); }
  int poll_descriptor() const override { return socket_.get(); }

 private:
  absl::Status WaitForRoom(MonotonicTime deadline) const;
  // One sendmsg call: bytes sent, 0 when there is no room.
  absl::StatusOr<size_t> SendSome(std::string_view bytes, const store::FileDescriptor* attachment);
  enum class ReadOutcome { kBytes, kNothingYet, kClosed };
  absl::StatusOr<ReadOutcome> ReadSome();
  absl::Status KeepDescriptors(msghdr& header);
  absl::StatusOr<std::optional<ReceivedMessage>> ExtractMessage();

  store::FileDescriptor socket_;
  std::string buffer_;  // received, not yet given out
  // In the order of the messages that speak of them; empty where one was lost.
  std::deque<store::FileDescriptor> descriptors_;
  bool peer_closed_ = false;
};

absl::Status UnixSocketTransport::WaitForRoom(MonotonicTime deadline) const {
  pollfd wait = {.fd = socket_.get(), .events = POLLOUT, .revents = 0};
  if (PollUntil({&wait, 1}, deadline) == 0) return ProtocolError("the other end does not read");
  return absl::OkStatus();
}

absl::StatusOr<size_t> UnixSocketTransport::SendSome(std::string_view bytes,
                                                     const store::FileDescriptor* attachment) {
  iovec part = {.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
  OneDescriptorControl control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (attachment != nullptr) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_LEN(sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = attachment->get();
    std::memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  }
  const ssize_t sent = sendmsg(socket_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return static_cast<size_t>(sent);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return size_t{0};
  if (errno == EPIPE || errno == ECONNRESET) return ProtocolError("the other end is closed");
  return SystemCallFailed("sending a message", errno);
}

absl::Status UnixSocketTransport::Send(const google::protobuf::MessageLite& message,
                                       const store::FileDescriptor& attachment,
                                       MonotonicTime deadline) {
  const size_t size = message.ByteSizeLong();
  if (size > kMaxMessageBytes) {
    return LimitExceeded("task bytes", std::to_string(size), std::to_string(kMaxMessageBytes));
  }
  const FrameHeader header = {.magic = kMagic,
                              .length_bytes = static_cast<uint32_t>(size),
                              .flags = attachment.valid() ? kFlagDescriptor : 0};
  std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
  frame.reserve(sizeof header + size);
  if (!message.AppendToString(&frame)) return ProtocolError("a message could not be encoded");

  std::string_view rest = frame;
  const store::FileDescriptor* beside = attachment.valid() ? &attachment : nullptr;
  while (!rest.empty()) {
    const absl::StatusOr<size_t> sent = SendSome(rest, beside);
    if (!sent.ok()) return sent.status();
    if (*sent == 0) {
      if (absl::Status room = WaitForRoom(deadline); !room.ok()) return room;
      continue;
    }
    beside = nullptr;  // went with the first byte
    rest.remove_prefix(*sent);
  }
  return absl::OkStatus();
}

absl::Status UnixSocketTransport::KeepDescriptors(msghdr& header) {
  bool lost = (header.msg_flags & MSG_CTRUNC) != 0;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&header); entry != nullptr;
       entry = CMSG_NXTHDR(&header, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    int fd = -1;
    if (entry->cmsg_len < CMSG_LEN(sizeof fd)) continue;
    std::memcpy(&fd, CMSG_DATA(entry), sizeof fd);
    store::FileDescriptor received(fd);
    if (!lost) descriptors_.push_back(std::move(received));
  }
  // An empty place, so that later descriptors stay with their own messages.
  if (lost) descriptors_.emplace_back();
  if (descriptors_.size() > kMaxPendingDescriptors) {
    return ProtocolError("descriptors arrived that no message speaks of");
  }
  return absl::OkStatus();
}

absl::StatusOr<UnixSocketTransport::ReadOutcome> UnixSocketTransport::ReadSome() {
  const size_t old_size = buffer_.size();
  buffer_.resize(old_size + kReadBytes);
  iovec part = {.iov_base = buffer_.data() + old_size, .iov_len = kReadBytes};
  OneDescriptorControl control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = CMSG_LEN(sizeof(int));
  ssize_t received = -1;
  do {
    received = recvmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  const int error = errno;
  buffer_.resize(old_size + static_cast<size_t>(std::max<ssize_t>(received, 0)));
  if (received > 0) {
    if (absl::Status kept = KeepDescriptors(header); !kept.ok()) return kept;
    return ReadOutcome::kBytes;
  }
  if (received == 0 || error == ECONNRESET) return ReadOutcome::kClosed;
  if (error == EAGAIN || error == EWOULDBLOCK) return ReadOutcome::kNothingYet;
  return SystemCallFailed("receiving a message", error);
}

absl::StatusOr<std::optional<ReceivedMessage>> UnixSocketTransport::ExtractMessage() {
  if (buffer_.size() < sizeof(FrameHeader)) return std::nullopt;
  FrameHeader header;
  std::memcpy(&header, buffer_.data(), sizeof header);
  if (header.magic != kMagic) return ProtocolError("bytes arrived that are no message");
  if (header.length_bytes > kMaxMessageBytes) {
    return ProtocolError("a message of " + std::to_string(header.length_bytes) +
                         " bytes is announced; the limit is " + std::to_string(kMaxMessageBytes));
  }
  const size_t frame_bytes = sizeof header + header.length_bytes;
  if (buffer_.size() < frame_bytes) return std::nullopt;
  ReceivedMessage message;
  message.bytes = buffer_.substr(sizeof header, header.length_bytes);
  buffer_.erase(0, frame_bytes);
  if ((header.flags & kFlagDescriptor) != 0) {
    message.attachment = Attachment::kLost;
    if (!descriptors_.empty()) {
      message.descriptor = std::move(descriptors_.front());
      descriptors_.pop_front();
      if (message.descriptor.valid()) message.attachment = Attachment::kPresent;
    }
  }
  return message;
}

absl::StatusOr<std::optional<ReceivedMessage>> UnixSocketTransport::Receive() {
  while (true) {
    absl::StatusOr<std::optional<ReceivedMessage>> message = ExtractMessage();
    if (!message.ok() || message->has_value()) return message;
    if (peer_closed_) {
      if (buffer_.empty()) return std::nullopt;
      buffer_.clear();
      return ProtocolError("the connection ended in mid-message");
    }
    const absl::StatusOr<ReadOutcome> outcome = ReadSome();
    if (!outcome.ok()) return outcome.status();
    if (*outcome == ReadOutcome::kNothingYet) return std::nullopt;
    if (*outcome == ReadOutcome::kClosed) peer_closed_ = true;
  }
}

}  // namespace

std::unique_ptr<Transport> MakeUnixSocketTransport(store::FileDescriptor socket) {
  return std::make_unique<UnixSocketTransport>(std::move(socket));
}

}  // namespace talweg::workers
