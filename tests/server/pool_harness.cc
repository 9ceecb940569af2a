#include "pool_harness.h"

#include <cstring>
#include <utility>

#include "talweg/test/random_surface.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

// Sanitizers are slow enough by themselves.
#if defined(__has_feature)
#define TALWEG_TEST_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TALWEG_TEST_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    TALWEG_TEST_HAS_FEATURE(address_sanitizer) || TALWEG_TEST_HAS_FEATURE(thread_sanitizer)
constexpr int kSlowdown = 10;
constexpr int64_t kSlowSide = 2000;
#else
constexpr int kSlowdown = 1;
constexpr int64_t kSlowSide = 4000;
#endif

bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

int Slowdown() { return kSlowdown; }

std::string TestProgramPath(const std::string& name) {
  return std::string(TALWEG_TEST_PROGRAM_DIR) + "/" + name;
}

workers::PoolOptions RealPool(int workers) {
  workers::PoolOptions options;
  options.workers = workers;
  options.worker_binary = ProgramPath("talweg-worker");
  options.start_timeout = absl::Seconds(60);  // sanitizers on a busy machine
  return options;
}

Pending Submit(workers::WorkerPool& pool, workers::Task task) {
  Pending pending;
  pending.future_ = pending.state_->promise.get_future();
  task.on_progress = [state = pending.state_](uint64_t settled_cells, double) {
    state->progress_cells = settled_cells;
    ++state->progress_reports;
  };
  task.on_done = [state = pending.state_](TaskResult result) {
    if (state->answers++ == 0) state->promise.set_value(std::move(result));
  };
  std::vector<workers::Task> tasks;
  tasks.push_back(std::move(task));
  const auto ids = pool.Submit(std::move(tasks));
  EXPECT_THAT(ids, IsOk());
  if (ids.ok()) {
    pending.id_ = ids->front();
  } else {
    pending.state_->promise.set_value(ids.status());
  }
  return pending;
}

workers::Task PathsTask(SurfacePtr surface, CellIndex source, std::vector<CellIndex> destinations) {
  workers::Task task;
  task.surface = std::move(surface);
  workers::PathsWork work;
  work.items.push_back({.source = {.cell = source},
                        .destinations = std::move(destinations),
                        .paths = Paths::kInclude});
  task.work = std::move(work);
  return task;
}

workers::Task FieldTask(SurfacePtr surface) {
  workers::Task task;
  task.surface = std::move(surface);
  workers::FieldWork work;
  work.request.sources.push_back({.cell = 0});
  task.work = std::move(work);
  return task;
}

OneToManyAnswer ExpectedPaths(const workers::Task& task) {
  SearchWorkspace workspace;
  SearchControl control;
  const auto& item = std::get<workers::PathsWork>(task.work).items.front();
  auto answer = RunOneToMany(task.surface->view(), task.recipe, item, workspace, control);
  EXPECT_THAT(answer, IsOk());
  return answer.ok() ? *std::move(answer) : OneToManyAnswer();
}

bool SameAnswer(const TaskResult& result, const OneToManyAnswer& expected) {
  if (!result.ok()) return false;
  const auto* paths = std::get_if<workers::PathsAnswer>(&*result);
  if (paths == nullptr || paths->items.size() != 1) return false;
  const std::vector<PairAnswer>& actual = paths->items.front().pairs;
  if (actual.size() != expected.pairs.size()) return false;
  for (size_t i = 0; i < actual.size(); ++i) {
    const PairAnswer& a = actual[i];
    const PairAnswer& e = expected.pairs[i];
    if (a.outcome != e.outcome) return false;
    if (a.outcome != Outcome::kOk) continue;
    if (!SameBits(a.cost, e.cost) || !SameBits(a.length, e.length) || !(a.path == e.path)) {
      return false;
    }
  }
  return true;
}

SurfacePtr SlowSurface() {
  static const SurfacePtr surface = StoreSurface(
      RandomSurface({kSlowSide, kSlowSide}, ValueType::kFloat32, Temper::kUniform, BaseSeed()));
  return surface;
}

SurfacePtr QuickSurface() {
  static const SurfacePtr surface =
      StoreSurface(RandomSurface({60, 80}, ValueType::kFloat64, Temper::kUniform, BaseSeed()));
  return surface;
}

}  // namespace talweg::test
