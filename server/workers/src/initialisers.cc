#include "talweg/workers/initialisers.h"

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cfenv>
#include <csignal>

#include "talweg/base/errors.h"

namespace talweg::workers {
namespace {

// A core file would hold the user's surfaces, and take longer to write than
// the retry takes to run.
absl::Status ForbidCoreDumps(WorkerContext&) {
  const rlimit none = {.rlim_cur = 0, .rlim_max = 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return SystemCallFailed("setting RLIMIT_CORE", errno);
  return absl::OkStatus();
}

// A dead server shows as a failed write, and Ctrl-C on the server's terminal
// is the server's to handle.
absl::Status IgnoreSignals(WorkerContext&) {
  for (const int number : {SIGPIPE, SIGINT, SIGHUP}) {
    if (signal(number, SIG_IGN) == SIG_ERR) return SystemCallFailed("ignoring a signal", errno);
  }
  return absl::OkStatus();
}

// Beside the end of file on the socket, which a stopped main thread would not
// see.
absl::Status EndWithServer(WorkerContext&) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    return SystemCallFailed("setting the parent-death signal", errno);
  }
  return absl::OkStatus();
}

// Bit-exact fields need round-to-nearest and no flushing of denormals,
// whatever the parent had set.
absl::Status ResetFloatingPoint(WorkerContext&) {
  if (std::fesetenv(FE_DFL_ENV) != 0) return EngineFailed("floating-point environment");
  return absl::OkStatus();
}

// Two threads need two arenas; large blocks go back to the kernel when freed,
// so that a worker between tasks is small.
absl::Status TuneAllocator(WorkerContext&) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  return absl::OkStatus();
}

absl::Status MakeWorkspace(WorkerContext& context) {
  context.workspace = std::make_unique<SearchWorkspace>();
  return absl::OkStatus();
}

constexpr std::array<Initialiser, 6> kInitialisers = {{
    {"no_core_dumps", ForbidCoreDumps},
    {"signals", IgnoreSignals},
    {"end_with_server", EndWithServer},
    {"floating_point", ResetFloatingPoint},
    {"allocator", TuneAllocator},
    {"search_workspace", MakeWorkspace},
}};

}  // namespace

std::span<const Initialiser> WorkerInitialisers() { return kInitialisers; }

}  // namespace talweg::workers
