// talweg-worker as a program: what it links, how it starts, what it survives.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "pool_harness.h"
#include "process_facts.h"
#include "talweg/base/version.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"
#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/initialisers.h"
#include "talweg/workers/task_codec.h"
#include "talweg/workers/transport.h"
#include "talweg/workers/worker_process.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;

struct CommandResult {
  int exit_code = -1;
  std::string output;
};

CommandResult RunCommand(const std::string& command) {
  CommandResult result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const size_t bytes = fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), bytes);
  }
  result.exit_code = WEXITSTATUS(pclose(pipe));
  return result;
}

TEST(WorkerProgram, LinksNeitherGrpcNorGdal) {
  const CommandResult dynamic = RunCommand("readelf -d " + test::ProgramPath("talweg-worker"));
  ASSERT_EQ(dynamic.exit_code, 0) << dynamic.output;
  ASSERT_THAT(dynamic.output, testing::HasSubstr("libprotobuf"));
  EXPECT_THAT(dynamic.output, testing::Not(testing::ContainsRegex("libgrpc|libgpr|libgdal")));
}

TEST(WorkerProgram, RefusesToRunByHandAndSaysWhatToRun) {
  const std::string worker = test::ProgramPath("talweg-worker");
  for (const char* arguments : {"", " --channel-fd", " --channel-fd x", " --channel-fd 77",
                                " --channel-fd 0 < /dev/null", " --channel-fd -1", " --help"}) {
    const CommandResult result = RunCommand(worker + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.output, testing::HasSubstr("talwegd")) << arguments;
  }
}

TEST(WorkerProgram, TellsItsVersion) {
  const CommandResult result = RunCommand(test::ProgramPath("talweg-worker") + " --version");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "talweg-worker " + std::string(Version()) + "\n");
}

// A worker and the server's end of its socket.
class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    auto started = WorkerProcess::Start(test::ProgramPath("talweg-worker"));
    EXPECT_THAT(started, IsOk());
    channel_number_ = started->channel.get();
    process_.emplace(std::move(started->process));
    transport_ = MakeUnixSocketTransport(std::move(started->channel));
  }

  void Send(const worker::v1::ToWorker& message,
            const store::FileDescriptor& attachment = store::FileDescriptor()) {
    ASSERT_THAT(transport_->Send(message, attachment, MonotonicTime::max()), IsOk());
  }
  // A frame whose bytes are no message.
  void SendUndecodable() {
    const std::string bytes("TwM1\x03\0\0\0\0\0\0\0\xff\xff\xff", 15);
    ASSERT_EQ(send(channel_number_, bytes.data(), bytes.size(), 0), 15);
  }
  ReceivedMessage ReceiveRaw() {
    while (true) {
      auto received = transport_->Receive();
      EXPECT_THAT(received, IsOk());
      if (!received.ok()) return {};
      if (received->has_value()) return std::move(**received);
      if (transport_->at_end()) {
        ADD_FAILURE() << "the worker is gone";
        return {};
      }
      pollfd wait = {.fd = transport_->poll_descriptor(), .events = POLLIN, .revents = 0};
      poll(&wait, 1, 60'000);
    }
  }
  worker::v1::FromWorker Receive() {
    worker::v1::FromWorker message;
    EXPECT_TRUE(message.ParseFromString(ReceiveRaw().bytes));
    return message;
  }
  // The next message that is no progress.
  worker::v1::Reply ReceiveReply() {
    while (true) {
      const worker::v1::FromWorker message = Receive();
      if (message.has_reply()) return message.reply();
      if (!message.has_progress()) {
        ADD_FAILURE() << message.ShortDebugString();
        return {};
      }
    }
  }

  static worker::v1::ToWorker DispatchOf(const Task& task, uint64_t task_id) {
    worker::v1::ToWorker message;
    worker::v1::Dispatch& dispatch = *message.mutable_dispatch();
    dispatch.set_task_id(task_id);
    dispatch.set_segment_key("key");
    *dispatch.mutable_recipe() = RecipeToProto(task.recipe);
    WorkToProto(task.work, dispatch);
    return message;
  }

  std::optional<WorkerProcess> process_;
  std::unique_ptr<Transport> transport_;
  int channel_number_ = -1;
};

TEST_F(WorkerTest, RunsItsInitialisersBeforeItDecodesTheFirstMessage) {
  // Both are in the socket before the worker has started.
  SendUndecodable();
  const Task task = test::PathsTask(test::QuickSurface(), 0, {100});
  Send(DispatchOf(task, 5), task.surface->segment());

  const worker::v1::FromWorker first = Receive();
  ASSERT_TRUE(first.has_hello()) << first.ShortDebugString();
  EXPECT_EQ(first.hello().version(), Version());
  std::vector<std::string> expected;
  for (const Initialiser& initialiser : WorkerInitialisers()) {
    expected.emplace_back(initialiser.name);
  }
  EXPECT_THAT(std::vector<std::string>(first.hello().initialisers().begin(),
                                       first.hello().initialisers().end()),
              testing::ElementsAreArray(expected));

  const worker::v1::Reply undecodable = ReceiveReply();
  EXPECT_EQ(undecodable.task_id(), 0u);
  EXPECT_EQ(undecodable.error().reason(), "TASK_UNDECODABLE");
  const worker::v1::Reply answered = ReceiveReply();
  EXPECT_EQ(answered.task_id(), 5u);
  EXPECT_TRUE(answered.has_paths());
}

TEST_F(WorkerTest, MessagesItCannotDecodeFailAndLeaveItAlive) {
  ASSERT_TRUE(Receive().has_hello());
  const Task task = test::PathsTask(test::QuickSurface(), 0, {100});

  SendUndecodable();
  EXPECT_EQ(ReceiveReply().error().reason(), "TASK_UNDECODABLE");
  Send(worker::v1::ToWorker());  // of no known kind
  EXPECT_EQ(ReceiveReply().error().reason(), "TASK_UNDECODABLE");
  Send(DispatchOf(task, 1));  // its surface was never sent
  EXPECT_EQ(ReceiveReply().error().reason(), "PROTOCOL_ERROR");
  {
    const store::FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
    Send(DispatchOf(task, 2), file);
    EXPECT_EQ(ReceiveReply().error().reason(), "SEGMENT_INVALID");
  }
  worker::v1::ToWorker bad = DispatchOf(task, 3);
  bad.mutable_dispatch()->mutable_recipe()->set_neighbourhood(6);
  Send(bad, task.surface->segment());
  EXPECT_EQ(ReceiveReply().error().reason(), "TASK_UNDECODABLE");
  bad = DispatchOf(task, 4);
  bad.mutable_dispatch()->mutable_paths()->mutable_items(0)->set_source_cell(1u << 30);
  Send(bad);
  EXPECT_EQ(ReceiveReply().error().reason(), "TASK_UNDECODABLE");

  Send(DispatchOf(task, 6));
  const worker::v1::Reply reply = ReceiveReply();
  EXPECT_EQ(reply.task_id(), 6u);
  EXPECT_TRUE(reply.has_paths()) << reply.ShortDebugString();
}

TEST_F(WorkerTest, HeedsACancelInMidSearchAndReportsProgress) {
  ASSERT_TRUE(Receive().has_hello());
  const Task task = test::FieldTask(test::SlowSurface());
  Send(DispatchOf(task, 1), task.surface->segment());
  EXPECT_TRUE(test::WaitFor([this] { return Receive().progress().settled_cells() > 0; }));
  worker::v1::ToWorker cancel;
  cancel.mutable_cancel()->set_task_id(99);  // of no task of it
  Send(cancel);
  cancel.mutable_cancel()->set_task_id(1);
  Send(cancel);
  const worker::v1::Reply reply = ReceiveReply();
  EXPECT_EQ(reply.error().reason(), "CANCELLED");
  EXPECT_LT(reply.settled_cells(),
            static_cast<uint64_t>(task.surface->description().shape.cells()));
}

TEST_F(WorkerTest, HeedsTheTimeoutOfATask) {
  ASSERT_TRUE(Receive().has_hello());
  worker::v1::ToWorker message = DispatchOf(test::FieldTask(test::SlowSurface()), 1);
  message.mutable_dispatch()->set_timeout_ns(50'000'000);
  Send(message, test::SlowSurface()->segment());
  EXPECT_EQ(ReceiveReply().error().reason(), "DEADLINE_EXCEEDED");
}

TEST_F(WorkerTest, SecondTaskWhileOneRunsIsRefused) {
  ASSERT_TRUE(Receive().has_hello());
  const Task task = test::FieldTask(test::SlowSurface());
  Send(DispatchOf(task, 1), task.surface->segment());
  Send(DispatchOf(task, 2));
  const worker::v1::Reply reply = ReceiveReply();
  EXPECT_EQ(reply.task_id(), 2u);
  EXPECT_EQ(reply.error().reason(), "PROTOCOL_ERROR");
}

TEST_F(WorkerTest, EndsInMidSearchWhenTheServerIsGone) {
  ASSERT_TRUE(Receive().has_hello());
  const Task task = test::FieldTask(test::SlowSurface());
  Send(DispatchOf(task, 1), task.surface->segment());
  EXPECT_TRUE(test::WaitFor([this] { return Receive().progress().settled_cells() > 0; }));
  transport_.reset();
  pollfd wait = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&wait, 1, 10'000), 1);
  EXPECT_EQ(process_->Reap().exit_code, 0);
}

TEST_F(WorkerTest, EndsWhenTheStreamMakesNoSense) {
  ASSERT_TRUE(Receive().has_hello());
  ASSERT_GT(send(channel_number_, "GET / HTTP/1.1\r\n", 16, 0), 0);
  pollfd wait = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&wait, 1, 10'000), 1);
  EXPECT_EQ(process_->Reap().exit_code, 4);
}

TEST_F(WorkerTest, InheritsNothingButItsSocket) {
  ASSERT_TRUE(Receive().has_hello());
  const std::string folder = "/proc/" + std::to_string(process_->pid()) + "/fd";
  const CommandResult listing = RunCommand("ls -l " + folder);
  ASSERT_EQ(listing.exit_code, 0);
  std::istringstream lines(listing.output);
  size_t descriptors = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("->") != std::string::npos) ++descriptors;
  }
  // 0, 1, 2, the socket, and the engine's event.
  EXPECT_EQ(descriptors, 5u) << listing.output;
}

TEST_F(WorkerTest, KeepsNothingOfARequestButTheSurface) {
  ASSERT_TRUE(Receive().has_hello());
  const std::string pid = std::to_string(process_->pid());
  const Task task = test::FieldTask(test::QuickSurface());
  Send(DispatchOf(task, 1), task.surface->segment());
  EXPECT_TRUE(ReceiveReply().has_field());
  EXPECT_EQ(test::MappedSegments(pid), 1u);  // the surface, not the field
  worker::v1::ToWorker drop;
  drop.mutable_drop_segment()->set_segment_key("key");
  Send(drop);
  EXPECT_TRUE(test::WaitFor([&pid] { return test::MappedSegments(pid) == 0; }));
}

TEST_F(WorkerTest, MapsAtMostEightSurfaces) {
  ASSERT_TRUE(Receive().has_hello());
  for (uint64_t i = 1; i <= 12; ++i) {
    const Task task = test::PathsTask(test::StoreSurface(test::ConstantSurface({5, 5}, 1)), 0, {1});
    worker::v1::ToWorker message = DispatchOf(task, i);
    message.mutable_dispatch()->set_segment_key("key-" + std::to_string(i));
    Send(message, task.surface->segment());
    EXPECT_TRUE(ReceiveReply().has_paths());
  }
  EXPECT_EQ(test::MappedSegments(std::to_string(process_->pid())), 8u);
}

TEST_F(WorkerTest, WithoutMemoryFailsTheTaskAndLivesOn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers do not live under RLIMIT_DATA";
#endif
  ASSERT_TRUE(Receive().has_hello());
  const rlimit little = {.rlim_cur = 64 << 20, .rlim_max = RLIM_INFINITY};
  ASSERT_EQ(prlimit(process_->pid(), RLIMIT_DATA, &little, nullptr), 0);
  const Task slow = test::FieldTask(test::SlowSurface());
  Send(DispatchOf(slow, 1), slow.surface->segment());
  const worker::v1::Reply failed = ReceiveReply();
  EXPECT_EQ(failed.error().reason(), "OUT_OF_MEMORY") << failed.ShortDebugString();
  EXPECT_EQ(failed.error().code(), static_cast<int>(absl::StatusCode::kResourceExhausted));

  const Task quick = test::PathsTask(test::QuickSurface(), 0, {100});
  worker::v1::ToWorker message = DispatchOf(quick, 2);
  message.mutable_dispatch()->set_segment_key("other");
  Send(message, quick.surface->segment());
  EXPECT_TRUE(ReceiveReply().has_paths());
}

TEST(WorkerProcessStart, MissingProgramIsAnErrorWithoutItsPath) {
  const auto started = WorkerProcess::Start("/nonexistent/talweg-worker");
  EXPECT_THAT(started, HasReason("SYSTEM_CALL"));
  EXPECT_THAT(std::string(started.status().message()), testing::Not(testing::HasSubstr("/")));
}

TEST(WorkerProcessStart, DroppedProcessIsEndedAndReaped) {
  const size_t descriptors = test::OpenDescriptors();
  const size_t children = test::Children();
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto started,
                         WorkerProcess::Start(test::ProgramPath("talweg-worker")));
  }
  EXPECT_EQ(test::OpenDescriptors(), descriptors);
  EXPECT_EQ(test::Children(), children);
}

}  // namespace
}  // namespace talweg::workers
