// Pools, tasks and their answers, for tests.
#ifndef TALWEG_TESTS_SERVER_POOL_HARNESS_H_
#define TALWEG_TESTS_SERVER_POOL_HARNESS_H_

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "stored_surfaces.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::test {

// How many times slower everything is in this build: 1, or 10 under a
// sanitizer.
int Slowdown();

// Path of a program of this folder: "fake_worker", "pool_holder".
std::string TestProgramPath(const std::string& name);

// Options for a pool of the real worker.
workers::PoolOptions RealPool(int workers);

using TaskResult = absl::StatusOr<workers::TaskAnswer>;

// A submitted task.
class Pending {
 public:
  workers::WorkerPool::TaskId id() const { return id_; }
  uint64_t progress_cells() const { return state_->progress_cells; }
  int progress_reports() const { return state_->progress_reports; }
  int answers() const { return state_->answers; }
  bool done() const { return state_->answers > 0; }
  // Waits; the test hangs into its time-out when no answer comes.
  TaskResult Get() { return future_.get(); }

 private:
  friend Pending Submit(workers::WorkerPool& pool, workers::Task task);
  struct State {
    std::promise<TaskResult> promise;
    std::atomic<uint64_t> progress_cells = 0;
    std::atomic<int> progress_reports = 0;
    std::atomic<int> answers = 0;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::future<TaskResult> future_;
  workers::WorkerPool::TaskId id_ = 0;
};

// Submits one task; the test fails when it is refused.
Pending Submit(workers::WorkerPool& pool, workers::Task task);

// From one corner's cell to others, with paths.
workers::Task PathsTask(SurfacePtr surface, CellIndex source, std::vector<CellIndex> destinations);

// The full field from the first cell.
workers::Task FieldTask(SurfacePtr surface);

// What this process computes itself for a PathsTask.
OneToManyAnswer ExpectedPaths(const workers::Task& task);

// Whether an answer is that, bit for bit.
bool SameAnswer(const TaskResult& result, const OneToManyAnswer& expected);

// A surface on which a full field takes seconds, and a small one.
SurfacePtr SlowSurface();
SurfacePtr QuickSurface();

}  // namespace talweg::test

#endif  // TALWEG_TESTS_SERVER_POOL_HARNESS_H_
