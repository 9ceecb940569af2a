// Runs one dispatched task in a worker.
#ifndef TALWEG_WORKERS_TASK_RUNNER_H_
#define TALWEG_WORKERS_TASK_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "talweg/base/stop_token.h"
#include "talweg/search/search_workspace.h"
#include "talweg/store/file_descriptor.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/worker/v1/worker.pb.h"

namespace talweg::workers {

// A task, shared by the thread that runs it and the one that watches.
struct RunningTask {
  RunningTask(worker::v1::Dispatch message, std::shared_ptr<const store::SharedCostSurface> mapped,
              MonotonicTime deadline)
      : dispatch(std::move(message)), surface(std::move(mapped)), control(deadline) {}

  const worker::v1::Dispatch dispatch;
  const std::shared_ptr<const store::SharedCostSurface> surface;
  SearchControl control;
  std::atomic<uint32_t> item = 0;  // under way
};

struct TaskReply {
  worker::v1::Reply reply;
  store::FileDescriptor attachment;  // sealed segment of a large result
};

// Builds the engine, runs it and packs the answer; every failure, memory
// included, becomes the reply's error. Keeps nothing but the workspace.
TaskReply RunTask(RunningTask& task, SearchWorkspace& workspace);

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TASK_RUNNER_H_
