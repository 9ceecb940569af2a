#include "run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>

#include "talweg/test/shared_data.h"

extern char** environ;

namespace talweg::test {
namespace {

std::string Contents(int fd) {
  std::string text;
  char buffer[4096];
  off_t at = 0;
  for (ssize_t count; (count = ::pread(fd, buffer, sizeof buffer, at)) > 0; at += count) {
    text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

RunningProgram::RunningProgram(const std::string& name, const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment) {
  std::vector<std::string> argv = {ProgramPath(name)};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<std::string> env = environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "TALWEG_SERVER=", 14) != 0) env.emplace_back(*variable);
  }
  out_ = ::memfd_create("stdout", MFD_CLOEXEC);
  err_ = ::memfd_create("stderr", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out_, 1);
  posix_spawn_file_actions_adddup2(&actions, err_, 2);
  const int error = ::posix_spawn(&pid_, argv.front().c_str(), &actions, nullptr,
                                  Pointers(argv).data(), Pointers(env).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error(argv.front() + ": " + std::strerror(error));
  }
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_);
  ::close(err_);
}

ProgramResult RunningProgram::Wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = Contents(out_);
  result.err = Contents(err_);
  return result;
}

std::string RunningProgram::ErrSoFar() const { return Contents(err_); }

}  // namespace talweg::test
