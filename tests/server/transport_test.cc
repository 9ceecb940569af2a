#include "talweg/workers/transport.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "process_facts.h"
#include "talweg/test/status_matchers.h"
#include "talweg/worker/v1/worker.pb.h"

namespace talweg::workers {
namespace {

using store::FileDescriptor;
using test::HasReason;
using test::IsOk;

class TransportTest : public testing::Test {
 protected:
  TransportTest() {
    std::array<int, 2> ends;
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    left_ = MakeUnixSocketTransport(FileDescriptor(ends[0]));
    raw_right_ = ends[1];
    right_ = MakeUnixSocketTransport(FileDescriptor(ends[1]));
  }

  static worker::v1::FromWorker Message(size_t bytes) {
    worker::v1::FromWorker message;
    message.mutable_hello()->set_version(std::string(bytes, 'v'));
    return message;
  }
  static MonotonicTime In(std::chrono::milliseconds delay) {
    return std::chrono::steady_clock::now() + delay;
  }
  absl::Status SendLeft(const google::protobuf::MessageLite& message,
                        const FileDescriptor& attachment = FileDescriptor()) {
    return left_->Send(message, attachment, In(std::chrono::seconds(10)));
  }
  // Waits for one message at the right end.
  absl::StatusOr<ReceivedMessage> ReceiveRight() {
    while (true) {
      auto received = right_->Receive();
      if (!received.ok()) return received.status();
      if (received->has_value()) return std::move(**received);
      if (right_->at_end()) return ProtocolError("end");
      pollfd wait = {.fd = right_->poll_descriptor(), .events = POLLIN, .revents = 0};
      if (poll(&wait, 1, 10'000) != 1) return ProtocolError("nothing came");
    }
  }
  void WriteRaw(std::string_view bytes) {
    ASSERT_EQ(write(left_->poll_descriptor(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  static std::string Frame(const char* magic, uint32_t length, uint32_t flags) {
    std::string frame(magic, 4);
    frame.append(reinterpret_cast<const char*>(&length), 4);
    frame.append(reinterpret_cast<const char*>(&flags), 4);
    return frame;
  }

  std::unique_ptr<Transport> left_;
  std::unique_ptr<Transport> right_;
  int raw_right_ = -1;
};

TEST_F(TransportTest, MessagesArriveWholeAndInOrder) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1000}, size_t{60'000}}) {
    ASSERT_THAT(SendLeft(Message(bytes)), IsOk());
  }
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1000}, size_t{60'000}}) {
    ASSERT_OK_AND_ASSIGN(const ReceivedMessage received, ReceiveRight());
    worker::v1::FromWorker message;
    ASSERT_TRUE(message.ParseFromString(received.bytes));
    EXPECT_EQ(message.hello().version().size(), bytes);
    EXPECT_EQ(received.attachment, Attachment::kNone);
  }
  ASSERT_OK_AND_ASSIGN(const auto nothing, right_->Receive());
  EXPECT_FALSE(nothing.has_value());
}

TEST_F(TransportTest, MessageLargerThanTheSocketsBufferArrives) {
  std::jthread sender([this] { EXPECT_THAT(SendLeft(Message(20'000'000)), IsOk()); });
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage received, ReceiveRight());
  EXPECT_GT(received.bytes.size(), 20'000'000u);
}

TEST_F(TransportTest, MessageOverTheLimitIsNotSent) {
  EXPECT_THAT(SendLeft(Message(kMaxMessageBytes + 1)), HasReason("LIMIT_EXCEEDED"));
  ASSERT_THAT(SendLeft(Message(5)), IsOk());
  EXPECT_THAT(ReceiveRight(), IsOk());
}

TEST_F(TransportTest, DescriptorsStayWithTheirMessages) {
  const FileDescriptor first(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor second(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  ASSERT_THAT(SendLeft(Message(3)), IsOk());
  ASSERT_THAT(SendLeft(Message(4), first), IsOk());
  ASSERT_THAT(SendLeft(Message(5)), IsOk());
  ASSERT_THAT(SendLeft(Message(6), second), IsOk());
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage a, ReceiveRight());
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage b, ReceiveRight());
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage c, ReceiveRight());
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage d, ReceiveRight());
  EXPECT_EQ(a.attachment, Attachment::kNone);
  ASSERT_EQ(b.attachment, Attachment::kPresent);
  EXPECT_EQ(c.attachment, Attachment::kNone);
  ASSERT_EQ(d.attachment, Attachment::kPresent);
  char byte = 'x';
  EXPECT_EQ(read(b.descriptor.get(), &byte, 1), 0);
  EXPECT_EQ(read(d.descriptor.get(), &byte, 1), 1);
  EXPECT_NE(fcntl(d.descriptor.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(TransportTest, DescriptorWithoutRoomIsLostAndTheNextOneIsNot) {
  const FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor zero(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  rlimit original;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &original), 0);
  ASSERT_THAT(SendLeft(Message(1), file), IsOk());
  ASSERT_THAT(SendLeft(Message(2), zero), IsOk());
  rlimit none = original;
  none.rlim_cur = 3;  // those below stay open
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto lost = right_->Receive();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &original), 0);
  ASSERT_THAT(lost, IsOk());
  ASSERT_TRUE(lost->has_value());
  EXPECT_EQ((*lost)->attachment, Attachment::kLost);
  ASSERT_OK_AND_ASSIGN(const ReceivedMessage next, ReceiveRight());
  ASSERT_EQ(next.attachment, Attachment::kPresent);
  char byte = 'x';
  EXPECT_EQ(read(next.descriptor.get(), &byte, 1), 1);
}

TEST_F(TransportTest, DescriptorsThatNobodySpeaksOfEndTheConnectionAndAreClosed) {
  const size_t before = test::OpenDescriptors();
  const FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::string frame = Frame("TwM1", 0, 0);
  for (int i = 0; i < 40; ++i) {
    iovec part = {.iov_base = const_cast<char*>(frame.data()), .iov_len = frame.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = file.get();
    std::memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    ASSERT_GT(sendmsg(left_->poll_descriptor(), &header, 0), 0);
  }
  absl::Status status = absl::OkStatus();
  for (int i = 0; i < 40 && status.ok(); ++i) status = ReceiveRight().status();
  EXPECT_THAT(status, HasReason("PROTOCOL_ERROR"));
  right_.reset();
  EXPECT_EQ(test::OpenDescriptors(), before);  // + file - right end
}

TEST_F(TransportTest, GarbageIsAProtocolError) {
  WriteRaw("HTTP/1.1 400 Bad Request\r\n");
  EXPECT_THAT(ReceiveRight(), HasReason("PROTOCOL_ERROR"));
}

TEST_F(TransportTest, SizeBombIsRefusedByItsHeader) {
  WriteRaw(Frame("TwM1", 0xffffffff, 0));
  EXPECT_THAT(ReceiveRight(), HasReason("PROTOCOL_ERROR"));
}

TEST_F(TransportTest, EndInMidMessageIsAnErrorAndACleanEndIsNone) {
  WriteRaw(Frame("TwM1", 100, 0) + "only this");
  left_.reset();
  EXPECT_THAT(right_->Receive(), HasReason("PROTOCOL_ERROR"));
  EXPECT_TRUE(right_->at_end());
}

TEST_F(TransportTest, CleanEndIsSeenAfterTheLastMessage) {
  ASSERT_THAT(SendLeft(Message(3)), IsOk());
  left_.reset();
  EXPECT_FALSE(right_->at_end());
  EXPECT_THAT(ReceiveRight(), IsOk());
  ASSERT_OK_AND_ASSIGN(const auto nothing, right_->Receive());
  EXPECT_FALSE(nothing.has_value());
  EXPECT_TRUE(right_->at_end());
}

TEST_F(TransportTest, SendToAClosedEndFailsWithoutASignal) {
  right_.reset();
  EXPECT_THAT(SendLeft(Message(3)), HasReason("PROTOCOL_ERROR"));
}

TEST_F(TransportTest, SendToOneThatDoesNotReadEndsAtItsDeadline) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(left_->Send(Message(20'000'000), FileDescriptor(), In(std::chrono::milliseconds(50))),
              HasReason("PROTOCOL_ERROR"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace talweg::workers
