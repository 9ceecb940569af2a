// talwegd from its start to its end: addresses, health, reflection, drains.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/rpc_method.h>
#include <grpcpp/support/sync_stream.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "requests.h"
#include "talweg/base/version.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::StartsWith;

// grpc.health.v1 and reflection have no generated C++ in Debian; their
// messages here are a string or an enum, written by hand.
std::string ByteString(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  (void)buffer.Dump(&slices);
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

// The serving status of grpc.health.v1: 1 SERVING, 2 NOT_SERVING; -1 without
// an answer.
int Health(const std::string& address, const std::string& service) {
  const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  std::string request;
  if (!service.empty()) {
    request = std::string("\x0a") + static_cast<char>(service.size()) + service;
  }
  const grpc::Slice slice(request);
  const grpc::ByteBuffer buffer(&slice, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC);
  const grpc::Status status =
      grpc::internal::BlockingUnaryCall(channel.get(), method, &context, buffer, &response);
  if (!status.ok()) return -1;
  const std::string bytes = ByteString(response);
  return bytes.size() == 2 ? bytes[1] : 0;
}

TEST(Lifecycle, ListensOnAFreePortAndSaysWhich) {
  TestServer server({.listen = "127.0.0.1:0"});
  EXPECT_THAT(server.address(), StartsWith("127.0.0.1:"));
  EXPECT_NE(server.address(), "127.0.0.1:0");
  EXPECT_THAT(server.client().GetServerInfo(), IsOk());
  EXPECT_THAT(server.child().Log(), HasSubstr("talwegd " + std::string(Version()) +
                                              " listening on " + server.address() + ", 2 workers"));
  EXPECT_THAT(server.child().Log(), HasSubstr("memory only"));
}

TEST(Lifecycle, ListensOnSeveralAddresses) {
  TemporaryFolder folder;
  const std::string path = "unix:" + folder.File("second");
  TestServer server({.listen = "127.0.0.1:0", .extra = {"--listen", path}});
  EXPECT_THAT(client::Client::Connect(path), IsOk());
}

TEST(Lifecycle, ServerInfoListsWorkersAndLimits) {
  TestServer server({.workers = 3, .extra = {"--max-requests", "7", "--queue-length", "11"}});
  ASSERT_OK_AND_ASSIGN(const v1::GetServerInfoResponse info, server.client().GetServerInfo());
  EXPECT_EQ(info.version(), std::string(Version()));
  EXPECT_EQ(info.workers(), 3u);
  EXPECT_EQ(info.usable_workers(), 3u);
  EXPECT_FALSE(info.durable());
  std::map<std::string, uint64_t> limits;
  for (const v1::ServerLimit& limit : info.limits()) limits[limit.name()] = limit.maximum();
  EXPECT_EQ(limits["max_requests"], 7u);
  EXPECT_EQ(limits["max_queued_tasks"], 11u);
  EXPECT_EQ(limits["max_message_bytes"], 4u * 1024 * 1024);
  EXPECT_EQ(limits["max_pairs"], 10'000'000u);
  EXPECT_EQ(server.WorkerPids().size(), 3u);
}

TEST(Lifecycle, TheSocketIsForItsUserAlone) {
  TestServer server;
  struct stat status;
  ASSERT_EQ(stat(server.address().substr(5).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Lifecycle, HealthIsServingForTheServerAndEachService) {
  TestServer server;
  EXPECT_EQ(Health(server.address(), ""), 1);
  EXPECT_EQ(Health(server.address(), "talweg.v1.PathService"), 1);
  EXPECT_EQ(Health(server.address(), "talweg.v1.SurfaceService"), 1);
  EXPECT_EQ(Health(server.address(), "talweg.v1.ServerService"), 1);
  EXPECT_EQ(Health(server.address(), "no.such.Service"), -1);
}

TEST(Lifecycle, ReflectionListsTheServices) {
  TestServer server;
  const auto channel = grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials());
  grpc::ClientContext context;
  const grpc::internal::RpcMethod method(
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      grpc::internal::RpcMethod::BIDI_STREAMING);
  const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
          channel.get(), method, &context));
  const grpc::Slice list_services(std::string("\x3a\x00", 2));  // field 7, empty
  ASSERT_TRUE(stream->Write(grpc::ByteBuffer(&list_services, 1)));
  stream->WritesDone();
  grpc::ByteBuffer response;
  ASSERT_TRUE(stream->Read(&response));
  const std::string bytes = ByteString(response);
  for (const char* service : {"talweg.v1.PathService", "talweg.v1.SurfaceService",
                              "talweg.v1.ServerService", "grpc.health.v1.Health"}) {
    EXPECT_THAT(bytes, HasSubstr(service));
  }
  while (stream->Read(&response)) {
  }
  EXPECT_TRUE(stream->Finish().ok());
}

TEST(Lifecycle, APortInUseIsSaid) {
  TestServer server({.listen = "127.0.0.1:0"});
  ServerChild second({"--listen", server.address(), "--workers", "1"});
  EXPECT_EQ(second.WaitForReadyLine(), "");
  EXPECT_EQ(second.Wait(), 3);
  EXPECT_THAT(second.Log(), HasSubstr("Address already in use"));
  EXPECT_THAT(server.client().GetServerInfo(), IsOk());
}

TEST(Lifecycle, ASocketInUseIsNotTakenAway) {
  TestServer server;
  ServerChild second({"--listen", server.address(), "--workers", "1"});
  EXPECT_EQ(second.Wait(), 3);
  EXPECT_THAT(second.Log(), HasSubstr("in use by another server"));
  EXPECT_THAT(server.Connect()->GetServerInfo(), IsOk());
}

TEST(Lifecycle, AStaleSocketIsReplaced) {
  TemporaryFolder folder;
  const std::string path = folder.File("socket");
  {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(fd);  // the file stays
  }
  TestServer server({.listen = "unix:" + path});
  EXPECT_THAT(server.client().GetServerInfo(), IsOk());
}

TEST(Lifecycle, AFileIsNeverTakenForASocket) {
  TemporaryFolder folder;
  const std::string path = folder.File("precious");
  std::ofstream(path) << "data";
  ServerChild child({"--listen", "unix:" + path, "--workers", "1"});
  EXPECT_EQ(child.Wait(), 3);
  EXPECT_THAT(child.Log(), HasSubstr("not a socket"));
  EXPECT_EQ(access(path.c_str(), F_OK), 0);
}

TEST(Lifecycle, AnUnwritableSocketPathIsSaid) {
  ServerChild child({"--listen", "unix:/no-such-folder/socket", "--workers", "1"});
  EXPECT_EQ(child.Wait(), 3);
  EXPECT_THAT(child.Log(), HasSubstr("No such file or directory"));
}

TEST(Lifecycle, WrongUsageIsExitCode2) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--listen", "nonsense"},
                                             {"--listen", "127.0.0.1:70000"},
                                             {"--workers", "0"},
                                             {"--drain-time", "-1"},
                                             {"--log-level", "loud"},
                                             {"--no-such-option"},
                                             {"--worker-binary", "/no/such/program"},
                                             {"stray"}}) {
    ServerChild child(arguments);
    EXPECT_EQ(child.Wait(), 2) << arguments[0];
    EXPECT_NE(child.Log(), "");
  }
}

TEST(Lifecycle, VersionAndHelpAreExitCode0) {
  for (const char* option : {"--version", "--help"}) {
    ServerChild child({option});
    EXPECT_EQ(child.Wait(), 0);
  }
}

TEST(Lifecycle, AWorkerBinaryThatIsNoneIsSaid) {
  ServerChild child({"--listen", "127.0.0.1:0", "--workers", "1", "--worker-binary", "/bin/false"});
  EXPECT_EQ(child.Wait(), 3);
  EXPECT_THAT(child.Log(), HasSubstr("workers"));
}

TEST(Lifecycle, SigtermEndsAnIdleServerAtOnceWithCode0) {
  TestServer server;
  const std::vector<pid_t> workers = server.WorkerPids();
  const auto start = std::chrono::steady_clock::now();
  server.child().Signal(SIGTERM);
  EXPECT_EQ(server.child().Wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(1500));
  for (const pid_t worker : workers) EXPECT_FALSE(ProcessExists(worker));
  EXPECT_NE(access(server.address().substr(5).c_str(), F_OK), 0);
}

class Drain : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(Put(server_.client(), "s",
                    RandomSurface({3000, 3000}, ValueType::kUint8, Temper::kUniform, 9)),
                IsOk());
  }
  // A request of some seconds.
  static v1::ComputeMatrixRequest Request(int points) {
    v1::ComputeMatrixRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/s");
    std::vector<std::pair<int64_t, int64_t>> cells;
    for (int64_t i = 0; i < points; ++i) cells.emplace_back(20 * i, 2999 - 20 * i);
    *request.mutable_sources() = Cells(cells);
    return request;
  }
  TestServer server_{{.extra = {"--drain-time", "60"}}};
};

TEST_F(Drain, SigtermLetsRequestsUnderWayFinishAndRefusesNewOnes) {
  std::vector<std::thread> callers;
  std::atomic<int> answered{0};
  std::atomic<int> started{0};
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      const auto client = server_.Connect();
      client::AnswerHandlers handlers;
      handlers.on_header = [&](const v1::AnswerHeader&) {
        ++started;
        return absl::OkStatus();
      };
      const auto summary = client->ComputeMatrix(Request(8), handlers);
      EXPECT_THAT(summary, IsOk());
      if (summary.ok()) ++answered;
    });
  }
  while (started < 3) std::this_thread::sleep_for(milliseconds(1));
  server_.child().Signal(SIGTERM);
  std::this_thread::sleep_for(milliseconds(50));
  if (answered == 0) {  // still draining
    EXPECT_EQ(Health(server_.address(), ""), 2);
    const auto refused = Matrix(server_.client(), Request(1));
    EXPECT_THAT(refused, HasReason("SHUTTING_DOWN"));
    EXPECT_TRUE(GetErrorDetail(refused.status()).retry_delay.has_value());
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answered, 3);
  EXPECT_EQ(server_.child().Wait(), 0);
}

TEST_F(Drain, ASecondSignalHurries) {
  std::atomic<bool> started{false};
  std::thread caller([&] {
    const auto client = server_.Connect();
    client::AnswerHandlers handlers;
    handlers.on_header = [&](const v1::AnswerHeader&) {
      started = true;
      return absl::OkStatus();
    };
    const auto summary = client->ComputeMatrix(Request(150), handlers);
    EXPECT_THAT(summary, HasReason("SHUTTING_DOWN"));
  });
  while (!started) std::this_thread::sleep_for(milliseconds(1));
  server_.child().Signal(SIGTERM);
  std::this_thread::sleep_for(milliseconds(100));
  const auto start = std::chrono::steady_clock::now();
  server_.child().Signal(SIGINT);
  EXPECT_EQ(server_.child().Wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(3000));
  caller.join();
}

TEST_F(Drain, TheEndOfTheLifelineEndsTheServer) {
  const std::vector<pid_t> workers = server_.WorkerPids();
  server_.child().CloseLifeline();
  EXPECT_EQ(server_.child().Wait(), 0);
  for (const pid_t worker : workers) EXPECT_FALSE(ProcessExists(worker));
}

TEST_F(Drain, SigkillOfTheServerLeavesNoWorker) {
  std::atomic<bool> started{false};
  std::thread caller([&] {
    const auto client = server_.Connect();
    client::AnswerHandlers handlers;
    handlers.on_header = [&](const v1::AnswerHeader&) {
      started = true;
      return absl::OkStatus();
    };
    const auto summary = client->ComputeMatrix(Request(150), handlers);
    EXPECT_EQ(summary.status().code(), absl::StatusCode::kUnavailable);
  });
  while (!started) std::this_thread::sleep_for(milliseconds(1));
  std::this_thread::sleep_for(milliseconds(100));
  const std::vector<pid_t> workers = server_.WorkerPids();
  EXPECT_EQ(workers.size(), 2u);
  server_.child().Signal(SIGKILL);
  EXPECT_EQ(server_.child().Wait(), -SIGKILL);
  caller.join();
  const auto end = std::chrono::steady_clock::now() + milliseconds(2000);
  for (const pid_t worker : workers) {
    while (ProcessExists(worker) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_FALSE(ProcessExists(worker));
  }
}

TEST(Overload, RequestsBeyondTheLimitAreRefusedWithADelay) {
  TestServer server({.workers = 1, .extra = {"--max-requests", "2"}});
  ASSERT_THAT(Put(server.client(), "s",
                  RandomSurface({3000, 3000}, ValueType::kUint8, Temper::kUniform, 9)),
              IsOk());
  std::atomic<bool> cancel{false};
  std::atomic<int> started{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] {
      const auto client = server.Connect();
      v1::ComputeCostFieldRequest request;
      *request.mutable_recipe() = RecipeOn("surfaces/s");
      *request.mutable_sources() = Cells({{0, 0}});
      client::AnswerHandlers handlers;
      handlers.on_header = [&](const v1::AnswerHeader&) {
        ++started;
        return absl::OkStatus();
      };
      (void)client->ComputeCostField(request, handlers,
                                     {.cancelled = [&] { return cancel.load(); }});
    });
  }
  while (started < 2) std::this_thread::sleep_for(milliseconds(1));
  v1::ComputeMatrixRequest request;
  *request.mutable_recipe() = RecipeOn("surfaces/s");
  *request.mutable_sources() = Cells({{0, 0}});
  const auto refused = Matrix(server.client(), request);
  EXPECT_THAT(refused, HasReason("TOO_MANY_REQUESTS"));
  EXPECT_TRUE(GetErrorDetail(refused.status()).retry_delay.has_value());
  EXPECT_THAT(server.client().GetServerInfo(), IsOk());  // look-ups are not counted
  cancel = true;
  for (std::thread& caller : callers) caller.join();
  // A call that is cancelled ends a moment later on the server.
  absl::Status status = absl::UnknownError("not tried");
  for (int i = 0; i < 100 && !status.ok(); ++i) {
    std::this_thread::sleep_for(milliseconds(20));
    status = Matrix(server.client(), request).status();
  }
  EXPECT_THAT(status, IsOk());
}

}  // namespace
}  // namespace talweg::test
