#include "talweg/workers/worker_pool.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "pool_harness.h"
#include "process_facts.h"
#include "talweg/query/cost_field.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;
using test::Pending;
using test::WaitFor;

std::unique_ptr<WorkerPool> StartPool(const PoolOptions& options) {
  auto pool = WorkerPool::Start(options);
  EXPECT_THAT(pool, IsOk());
  return pool.ok() ? *std::move(pool) : nullptr;
}

TEST(WorkerPool, AnswersPathsAsThisProcessWould) {
  const auto pool = StartPool(test::RealPool(2));
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->status().usable_workers, 2u);
  std::vector<Pending> pending;
  std::vector<OneToManyAnswer> expected;
  for (CellIndex source = 0; source < 50; ++source) {
    Task task = test::PathsTask(test::QuickSurface(), source * 90, {0, 4799, source * 90, 77, 77});
    expected.push_back(test::ExpectedPaths(task));
    pending.push_back(test::Submit(*pool, std::move(task)));
  }
  for (size_t i = 0; i < pending.size(); ++i) {
    EXPECT_TRUE(test::SameAnswer(pending[i].Get(), expected[i])) << "task " << i;
  }
  EXPECT_GT(pool->status().settled_cells, 0u);
  EXPECT_EQ(pool->status().crashes, 0u);
}

TEST(WorkerPool, AnswersFieldsWithEveryPartAsThisProcessWould) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  const test::SurfacePtr surface = test::StoreSurface(
      test::RandomSurface({57, 83}, ValueType::kFloat32, test::Temper::kMixed, test::BaseSeed()));
  Task task;
  task.surface = surface;
  FieldWork work;
  for (int32_t i = 0; i < 20; ++i) {
    work.request.sources.push_back({.cell = i * 231, .start_cost = 0.5 * i, .number = i});
  }
  work.include_back_links = true;
  work.include_allocation = true;
  task.work = work;
  Pending pending = test::Submit(*pool, std::move(task));

  Raster<double> costs(surface->description().shape);
  Raster<StepCode> back_links(surface->description().shape);
  Raster<int32_t> allocation(surface->description().shape);
  SearchWorkspace workspace;
  SearchControl control;
  FieldOutputs outputs;
  outputs.costs = costs.view();
  outputs.back_links = back_links.view();
  outputs.allocation = allocation.view();
  ASSERT_OK_AND_ASSIGN(
      const CostFieldSummary summary,
      RunCostField(surface->view(), EngineRecipe{}, work.request, outputs, workspace, control));

  auto result = pending.Get();
  ASSERT_THAT(result, IsOk());
  const auto& answer = std::get<FieldAnswer>(*result);
  EXPECT_EQ(answer.summary.reached_cells, summary.reached_cells);
  EXPECT_EQ(answer.summary.stop_cause, summary.stop_cause);
  const auto cells = static_cast<size_t>(surface->description().shape.cells());
  ASSERT_EQ(answer.field.costs().size(), cells);
  ASSERT_EQ(answer.field.back_links().size(), cells);
  ASSERT_EQ(answer.field.allocation().size(), cells);
  for (size_t i = 0; i < cells; ++i) {
    const auto cell = static_cast<CellIndex>(i);
    const double expected = costs.view()[cell];
    ASSERT_TRUE(answer.field.costs()[i] == expected ||
                (std::isnan(answer.field.costs()[i]) && std::isnan(expected)));
    ASSERT_EQ(answer.field.back_links()[i], back_links.view()[cell]);
    ASSERT_EQ(answer.field.allocation()[i], allocation.view()[cell]);
  }
}

TEST(WorkerPool, LongPathsComeThroughSharedMemory) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  const size_t descriptors = test::OpenDescriptors();
  const test::SurfacePtr surface = test::StoreSurface(test::ConstantSurface({300, 300}, 1));
  std::vector<CellIndex> destinations;
  for (CellIndex cell = 0; cell < 9000; ++cell) destinations.push_back(90'000 - 1 - cell);
  Task task = test::PathsTask(surface, 0, destinations);
  const OneToManyAnswer expected = test::ExpectedPaths(task);
  Pending pending = test::Submit(*pool, std::move(task));
  EXPECT_TRUE(test::SameAnswer(pending.Get(), expected));
  EXPECT_EQ(test::OpenDescriptors(), descriptors + 1);  // the surface's
}

TEST(WorkerPool, BatchIsAnsweredItemByItemInOrder) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  Task task;
  task.surface = test::QuickSurface();
  PathsWork work;
  for (CellIndex i = 0; i < 5; ++i) {
    work.items.push_back({.source = {.cell = i},
                          .destinations = {i, 100 + i},
                          .paths = i % 2 == 0 ? Paths::kInclude : Paths::kOmit});
  }
  task.work = work;
  Pending pending = test::Submit(*pool, std::move(task));
  auto result = pending.Get();
  ASSERT_THAT(result, IsOk());
  const auto& items = std::get<PathsAnswer>(*result).items;
  ASSERT_EQ(items.size(), 5u);
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(items[i].pairs[0].cost, 0);
    EXPECT_GT(items[i].pairs[1].cost, 0);
    EXPECT_EQ(items[i].pairs[1].path.steps.empty(), i % 2 != 0);
    EXPECT_GT(items[i].settled_cells, 0u);
  }
}

TEST(WorkerPool, EngineErrorsKeepTheirCodeReasonAndField) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  Task task = test::PathsTask(test::SlowSurface(), 0, {3'999'999});
  task.recipe.max_cells = 20'000;
  const auto result = test::Submit(*pool, std::move(task)).Get();
  EXPECT_THAT(result, HasReason("CELL_LIMIT"));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->status().crashes, 0u);
  EXPECT_EQ(pool->status().usable_workers, 1u);
}

TEST(WorkerPool, AllWorkersMapTheSameMemory) {
  const auto pool = StartPool(test::RealPool(3));
  ASSERT_NE(pool, nullptr);
  std::vector<Pending> pending;
  for (int i = 0; i < 3; ++i) {
    pending.push_back(test::Submit(*pool, test::FieldTask(test::SlowSurface())));
  }
  const std::vector<int> pids = pool->status().worker_pids;
  ASSERT_EQ(pids.size(), 3u);
  EXPECT_TRUE(WaitFor([&] {
    return std::ranges::all_of(pending, [](const auto& p) { return p.progress_cells() > 0; });
  }));
  std::set<std::string> inodes;
  for (const int pid : pids) {
    std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
    for (std::string line; std::getline(maps, line);) {
      std::istringstream words(line);
      std::string range, access, offset, device, inode, name;
      words >> range >> access >> offset >> device >> inode >> name;
      if (name == "/memfd:talweg" && access == "r--s") inodes.insert(inode);
    }
  }
  EXPECT_EQ(inodes.size(), 1u);
  for (const Pending& task : pending) pool->Cancel(task.id());
}

TEST(WorkerPool, RetiredSurfaceIsUnmappedByIdleWorkers) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  const std::string pid = std::to_string(pool->status().worker_pids.front());
  auto surface = test::StoreSurface(test::ConstantSurface({50, 50}, 1));
  ASSERT_THAT(test::Submit(*pool, test::PathsTask(surface, 0, {1})).Get(), IsOk());
  EXPECT_EQ(test::MappedSegments(pid), 1u);
  surface.reset();
  EXPECT_TRUE(WaitFor([&pid] { return test::MappedSegments(pid) == 0; }));
}

TEST(WorkerPool, ManySurfacesInTurnAreServedWithinTheBound) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  const std::string pid = std::to_string(pool->status().worker_pids.front());
  std::vector<test::SurfacePtr> surfaces;
  for (int i = 1; i <= 20; ++i) {
    surfaces.push_back(test::StoreSurface(test::ConstantSurface({10, 10}, i)));
  }
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < surfaces.size(); ++i) {
      auto result = test::Submit(*pool, test::PathsTask(surfaces[i], 0, {1})).Get();
      ASSERT_THAT(result, IsOk());
      EXPECT_EQ(std::get<PathsAnswer>(*result).items[0].pairs[0].cost, static_cast<double>(i + 1));
    }
  }
  EXPECT_LE(test::MappedSegments(pid), 8u);
}

TEST(WorkerPool, CancelOfARunningTaskFreesItsWorkerSoon) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  Pending slow = test::Submit(*pool, test::FieldTask(test::SlowSurface()));
  ASSERT_TRUE(WaitFor([&] { return slow.progress_cells() > 0; }));
  const int pid = pool->status().worker_pids.front();
  const auto cancelled = std::chrono::steady_clock::now();
  pool->Cancel(slow.id());
  Pending next = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1}));
  EXPECT_THAT(slow.Get(), HasReason("CANCELLED"));
  EXPECT_THAT(next.Get(), IsOk());
  // 100 ms on an idle machine; the grace is 500 ms, and nobody was killed.
  EXPECT_LT(std::chrono::steady_clock::now() - cancelled,
            std::chrono::milliseconds(400) * test::Slowdown());
  EXPECT_EQ(pool->status().worker_pids, std::vector<int>{pid});
  EXPECT_EQ(slow.answers(), 1);
}

TEST(WorkerPool, CancelledSearchSettlesNoMoreCells) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  Pending slow = test::Submit(*pool, test::FieldTask(test::SlowSurface()));
  ASSERT_TRUE(WaitFor([&] { return slow.progress_cells() > 0; }));
  pool->Cancel(slow.id());
  EXPECT_THAT(slow.Get(), HasReason("CANCELLED"));
  const uint64_t settled = pool->status().settled_cells;
  EXPECT_LT(settled, static_cast<uint64_t>(test::SlowSurface()->description().shape.cells()));
  EXPECT_THAT(test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1})).Get(), IsOk());
  EXPECT_LT(pool->status().settled_cells, settled + 4800);
}

TEST(WorkerPool, CancelOfAWaitingTaskEndsItAtOnce) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  Pending slow = test::Submit(*pool, test::FieldTask(test::SlowSurface()));
  Pending waiting = test::Submit(*pool, test::FieldTask(test::SlowSurface()));
  pool->Cancel(waiting.id());
  EXPECT_TRUE(waiting.done());
  EXPECT_THAT(waiting.Get(), HasReason("CANCELLED"));
  EXPECT_FALSE(slow.done());
  pool->Cancel(slow.id());
  pool->Cancel(12345678);
  EXPECT_THAT(slow.Get(), HasReason("CANCELLED"));
}

TEST(WorkerPool, DeadlinesEndRunningAndWaitingTasks) {
  const auto pool = StartPool(test::RealPool(1));
  ASSERT_NE(pool, nullptr);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  Task running = test::FieldTask(test::SlowSurface());
  running.deadline = deadline;
  Task waiting = test::FieldTask(test::SlowSurface());
  waiting.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  Task past = test::FieldTask(test::SlowSurface());
  past.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  Pending a = test::Submit(*pool, std::move(running));
  Pending b = test::Submit(*pool, std::move(waiting));
  Pending c = test::Submit(*pool, std::move(past));
  EXPECT_THAT(b.Get(), HasReason("DEADLINE_EXCEEDED"));
  EXPECT_THAT(c.Get(), HasReason("DEADLINE_EXCEEDED"));
  EXPECT_THAT(a.Get(), HasReason("DEADLINE_EXCEEDED"));
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  EXPECT_EQ(pool->status().crashes, 0u);
}

TEST(WorkerPool, FullQueueRefusesAllOfABatch) {
  PoolOptions options = test::RealPool(1);
  options.queue_length = 3;
  const auto pool = StartPool(options);
  ASSERT_NE(pool, nullptr);
  Pending slow = test::Submit(*pool, test::FieldTask(test::SlowSurface()));
  ASSERT_TRUE(WaitFor([&] { return pool->status().running_tasks == 1; }));
  std::vector<Task> batch;
  for (int i = 0; i < 4; ++i) batch.push_back(test::FieldTask(test::SlowSurface()));
  EXPECT_THAT(pool->Submit(std::move(batch)), HasReason("QUEUE_FULL"));
  EXPECT_EQ(pool->status().queued_tasks, 0u);
}

TEST(WorkerPool, ShutdownDrainsWhatFitsAndEndsTheRest) {
  const auto pool = StartPool(test::RealPool(2));
  ASSERT_NE(pool, nullptr);
  std::vector<Pending> quick;
  for (int i = 0; i < 20; ++i) {
    quick.push_back(test::Submit(*pool, test::PathsTask(test::QuickSurface(), i, {4000})));
  }
  pool->Shutdown(absl::Seconds(60));
  for (Pending& task : quick) EXPECT_THAT(task.Get(), IsOk());
  EXPECT_THAT(pool->Submit({}), HasReason("SHUTTING_DOWN"));
  pool->Shutdown(absl::Seconds(60));
  EXPECT_EQ(test::Children(), 0u);
  EXPECT_EQ(pool->status().usable_workers, 0u);

  const auto other = StartPool(test::RealPool(1));
  ASSERT_NE(other, nullptr);
  Pending running = test::Submit(*other, test::FieldTask(test::SlowSurface()));
  Pending waiting = test::Submit(*other, test::FieldTask(test::SlowSurface()));
  ASSERT_TRUE(WaitFor([&] { return running.progress_cells() > 0; }));
  other->Shutdown(absl::Milliseconds(10));
  EXPECT_THAT(running.Get(), HasReason("SHUTTING_DOWN"));
  EXPECT_THAT(waiting.Get(), HasReason("SHUTTING_DOWN"));
}

TEST(WorkerPool, LeavesNoProcessAndNoDescriptor) {
  test::QuickSurface();
  const size_t descriptors = test::OpenDescriptors();
  for (int round = 0; round < 3; ++round) {
    const auto pool = StartPool(test::RealPool(3));
    ASSERT_NE(pool, nullptr);
    Pending field = test::Submit(*pool, test::FieldTask(test::QuickSurface()));
    EXPECT_THAT(field.Get(), IsOk());
  }
  EXPECT_EQ(test::OpenDescriptors(), descriptors);
  EXPECT_EQ(test::Children(), 0u);
}

TEST(WorkerPool, NeedsAtLeastOneWorker) {
  EXPECT_THAT(WorkerPool::Start(test::RealPool(0)), HasReason("INVALID_VALUE"));
}

}  // namespace
}  // namespace talweg::workers
