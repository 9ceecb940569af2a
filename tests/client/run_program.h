// Runs a built program and catches what it says.
#ifndef TALWEG_TESTS_CLIENT_RUN_PROGRAM_H_
#define TALWEG_TESTS_CLIENT_RUN_PROGRAM_H_

#include <string>
#include <vector>

namespace talweg::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// A program that was started; ended with SIGKILL if it still runs when this
// object goes.
class RunningProgram {
 public:
  // `environment` adds "NAME=VALUE" to this process's own, without
  // TALWEG_SERVER.
  RunningProgram(const std::string& name, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  int pid() const { return pid_; }
  ProgramResult Wait();
  // What it wrote on stderr so far.
  std::string ErrSoFar() const;

 private:
  int pid_ = -1;
  int out_ = -1;  // unnamed temporary files
  int err_ = -1;
};

inline ProgramResult Run(const std::string& name, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {}) {
  return RunningProgram(name, arguments, environment).Wait();
}

}  // namespace talweg::test

#endif  // TALWEG_TESTS_CLIENT_RUN_PROGRAM_H_
