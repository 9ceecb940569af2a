// The life of a worker process.
#ifndef TALWEG_WORKERS_WORKER_MAIN_H_
#define TALWEG_WORKERS_WORKER_MAIN_H_

#include "talweg/store/file_descriptor.h"

namespace talweg::workers {

// Exit codes of talweg-worker.
inline constexpr int kWorkerExitServerGone = 0;
inline constexpr int kWorkerExitUsage = 2;
inline constexpr int kWorkerExitStartFailed = 3;
inline constexpr int kWorkerExitChannelBroken = 4;

// Runs the initialisers, says Hello, and serves dispatches until the server is
// gone. Nothing is read from the channel before every initialiser has run.
[[noreturn]] void RunWorker(store::FileDescriptor channel);

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_WORKER_MAIN_H_
