// The server that the command line starts for itself.
#include "talweg/client/private_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "requests.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

class PrivateServerTest : public testing::Test {
 protected:
  void SetUp() override { setenv("TALWEG_SERVER_BINARY", ProgramPath("talwegd").c_str(), 1); }
  void TearDown() override { unsetenv("TALWEG_SERVER_BINARY"); }

  static std::string FolderOf(const std::string& address) {
    return address.substr(5, address.rfind('/') - 5);
  }
  static bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }
};

TEST_F(PrivateServerTest, StartsAnswersAndLeavesNothing) {
  const auto begin = std::chrono::steady_clock::now();
  auto server = client::PrivateServer::Start({.workers = 2});
  ASSERT_THAT(server, IsOk());
  const auto took = std::chrono::steady_clock::now() - begin;
  RecordProperty("start_ms",
                 static_cast<int>(std::chrono::duration<double, std::milli>(took).count()));
  const std::string address = (*server)->address();
  const pid_t pid = (*server)->pid();
  struct stat status;
  ASSERT_EQ(stat(FolderOf(address).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  {
    ASSERT_OK_AND_ASSIGN(const auto client, client::Client::Connect(address));
    ASSERT_OK_AND_ASSIGN(const v1::GetServerInfoResponse info, client->GetServerInfo());
    EXPECT_EQ(info.workers(), 2u);
  }
  const std::vector<pid_t> workers = ChildrenOf(pid);
  EXPECT_EQ(workers.size(), 2u);
  server->reset();
  EXPECT_FALSE(ProcessExists(pid));
  for (const pid_t worker : workers) EXPECT_FALSE(ProcessExists(worker));
  EXPECT_FALSE(Exists(FolderOf(address)));
}

TEST_F(PrivateServerTest, EndsWithItsClientHoweverThatDies) {
  // A child that starts a server, tells of it and is killed.
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto server = client::PrivateServer::Start({.workers = 1});
    const std::string text =
        server.ok() ? (*server)->address() + " " + std::to_string((*server)->pid()) + "\n" : "\n";
    [[maybe_unused]] const ssize_t written = write(told[1], text.data(), text.size());
    pause();
    _exit(0);
  }
  close(told[1]);
  std::string text;
  char byte = 0;
  while (read(told[0], &byte, 1) == 1 && byte != '\n') text.push_back(byte);
  close(told[0]);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const size_t blank = text.find(' ');
  ASSERT_NE(blank, std::string::npos) << text;
  const pid_t server = std::stoi(text.substr(blank + 1));
  const std::string folder = FolderOf(text.substr(0, blank));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while ((ProcessExists(server) || Exists(folder)) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(ProcessExists(server));
  EXPECT_FALSE(Exists(folder));
}

TEST_F(PrivateServerTest, AServerThatDoesNotStartIsQuoted) {
  setenv("TALWEG_SERVER_BINARY", "/bin/false", 1);
  EXPECT_THAT(client::PrivateServer::Start({}), HasReason("SERVER_NOT_STARTED"));
  setenv("TALWEG_SERVER_BINARY", "/no/such/program", 1);
  EXPECT_THAT(client::PrivateServer::Start({}), HasReason("SYSTEM_CALL"));
  setenv("TALWEG_SERVER_BINARY", ProgramPath("talwegd").c_str(), 1);
  const auto server = client::PrivateServer::Start({.workers = 100'000});
  EXPECT_THAT(server, HasReason("SERVER_NOT_STARTED"));
  EXPECT_THAT(std::string(server.status().message()), testing::HasSubstr("--workers"));
}

TEST_F(PrivateServerTest, ConnectingToNobodyIsUnavailable) {
  EXPECT_THAT(
      client::Client::Connect("unix:/no/such/socket", {.connect_timeout = absl::Milliseconds(200)}),
      HasReason("NO_SERVER"));
  for (const char* address :
       {"", "host", "host:", ":1", "host:port", "host:70000", "unix:", "http://host:1"}) {
    EXPECT_THAT(client::Client::Connect(address), HasReason("INVALID_VALUE")) << address;
  }
}

}  // namespace
}  // namespace talweg::test
