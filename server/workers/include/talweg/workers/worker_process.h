// One worker process: started, signalled and reaped here and nowhere else.
#ifndef TALWEG_WORKERS_WORKER_PROCESS_H_
#define TALWEG_WORKERS_WORKER_PROCESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "talweg/store/file_descriptor.h"

namespace talweg::workers {

// The descriptor a worker finds its socket at.
inline constexpr int kWorkerChannelDescriptor = 3;

// How a process ended.
struct ProcessEnd {
  int exit_code = 0;      // when signal is 0
  int signal_number = 0;  // 0: it exited

  // Ended by somebody's wish (SIGKILL, SIGTERM, SIGINT, SIGHUP), not by its own
  // fault. An out-of-memory kill looks the same: see OomWatch.
  bool FromOutside() const;
  std::string ToString() const;  // "SIGSEGV", "exit code 1"
};

// Owns the process: ends and reaps it when dropped. Identified by a pidfd, so
// a reused process number can never be hit. Movable.
class WorkerProcess {
 public:
  struct Started;

  // Starts `program` with one end of a socket pair as descriptor 3, /dev/null
  // as standard input and output, standard error inherited, every other
  // descriptor closed and no signal blocked or ignored. SYSTEM_CALL (without
  // the path).
  static absl::StatusOr<Started> Start(const std::string& program);

  ~WorkerProcess();
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;

  int pid() const { return pid_; }
  // Readable once the process has ended.
  int pidfd() const { return pidfd_.get(); }

  // SIGKILL.
  void Kill() const;

  // Waits for the end and reaps; at most once.
  ProcessEnd Reap();

 private:
  WorkerProcess(int pid, store::FileDescriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  int pid_ = -1;  // -1: reaped or moved away
  store::FileDescriptor pidfd_;
};

struct WorkerProcess::Started {
  WorkerProcess process;
  store::FileDescriptor channel;  // the server's end
};

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WORKER_PROCESS_H_
