#include "test_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

constexpr int kReadyFd = 30;
constexpr int kLifelineFd = 31;

// State and parent of a process, from /proc/PID/stat; the name in it may hold
// blanks and brackets.
struct ProcessState {
  char state = 'X';
  pid_t parent = -1;
};
ProcessState ReadState(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  ProcessState state;
  const size_t bracket = line.rfind(')');
  if (bracket == std::string::npos) return state;
  std::istringstream rest(line.substr(bracket + 1));
  rest >> state.state >> state.parent;
  return state;
}

}  // namespace

ServerChild::ServerChild(const std::vector<std::string>& arguments) {
  int ready[2];
  int lifeline[2];
  EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(lifeline, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string log = folder_.File("log");
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, ready[1], kReadyFd);
  posix_spawn_file_actions_adddup2(&actions, lifeline[0], kLifelineFd);
  std::vector<std::string> all = {ProgramPath("talwegd"), "--ready-fd", std::to_string(kReadyFd),
                                  "--lifeline-fd", std::to_string(kLifelineFd)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  EXPECT_EQ(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ready[1]);
  close(lifeline[0]);
  ready_fd_ = ready[0];
  lifeline_fd_ = lifeline[1];
}

ServerChild::~ServerChild() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    Wait();
  }
  CloseLifeline();
  close(ready_fd_);
}

std::string ServerChild::WaitForReadyLine() {
  std::string line;
  char byte = 0;
  while (read(ready_fd_, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
  return line;
}

void ServerChild::Signal(int signal) const { kill(pid_, signal); }

int ServerChild::Wait() {
  if (pid_ <= 0) return exit_code_;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return exit_code_;
}

std::string ServerChild::Log() const {
  std::ifstream file(folder_.File("log"));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void ServerChild::CloseLifeline() {
  if (lifeline_fd_ >= 0) close(std::exchange(lifeline_fd_, -1));
}

TestServer::TestServer(const ServerFlags& flags) {
  std::vector<std::string> arguments = {
      "--listen", flags.listen.empty() ? "unix:" + folder_.File("socket") : flags.listen,
      "--workers", std::to_string(flags.workers)};
  arguments.insert(arguments.end(), flags.extra.begin(), flags.extra.end());
  child_ = std::make_unique<ServerChild>(arguments);
  address_ = child_->WaitForReadyLine();
  EXPECT_NE(address_, "") << child_->Log();
  client_ = Connect();
}

std::unique_ptr<client::Client> TestServer::Connect() const {
  auto client = client::Client::Connect(address_);
  EXPECT_THAT(client, IsOk());
  return client.ok() ? *std::move(client) : nullptr;
}

std::vector<pid_t> TestServer::WorkerPids() const { return ChildrenOf(child_->pid()); }

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const ProcessState state = ReadState(entry.path());
    if (state.parent == pid && state.state != 'Z') children.push_back(std::stoi(name));
  }
  return children;
}

bool ProcessExists(pid_t pid) {
  const char state = ReadState("/proc/" + std::to_string(pid)).state;
  return state != 'X' && state != 'Z';
}

}  // namespace talweg::test
