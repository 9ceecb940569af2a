// Pools of workers that break the protocol, each in its own way.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "pool_harness.h"
#include "process_facts.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;
using test::Pending;
using test::WaitFor;

class BrokenWorkerTest : public testing::Test {
 protected:
  PoolOptions Options(const std::string& mode, int workers = 1) {
    const std::string link = folder_.File(mode);
    std::filesystem::create_symlink(test::TestProgramPath("fake_worker"), link);
    PoolOptions options = test::RealPool(workers);
    options.worker_binary = link;
    options.cancel_grace = absl::Milliseconds(100);
    options.backoff_min = absl::Milliseconds(1);
    options.backoff_max = absl::Milliseconds(20);
    return options;
  }
  std::unique_ptr<WorkerPool> StartPool(const std::string& mode) {
    auto pool = WorkerPool::Start(Options(mode));
    EXPECT_THAT(pool, IsOk()) << mode;
    return pool.ok() ? *std::move(pool) : nullptr;
  }

  test::TemporaryFolder folder_;
};

class CrashingModeTest : public BrokenWorkerTest,
                         public testing::WithParamInterface<const char*> {};

TEST_P(CrashingModeTest, CostsTwoWorkersAndThenFailsTheTaskAlone) {
  test::QuickSurface();
  const size_t descriptors = test::OpenDescriptors();
  {
    const auto pool = StartPool(GetParam());
    ASSERT_NE(pool, nullptr);
    const std::string mode = GetParam();
    Task task = mode.ends_with("field") ? test::FieldTask(test::QuickSurface())
                                        : test::PathsTask(test::QuickSurface(), 0, {1});
    Pending pending = test::Submit(*pool, std::move(task));
    const auto result = pending.Get();
    EXPECT_THAT(result, HasReason("WORKER_CRASHED"));
    EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("2 attempts"));
    EXPECT_THAT(std::string(result.status().message()), testing::Not(testing::HasSubstr("/")));
    EXPECT_TRUE(WaitFor([&] { return pool->status().usable_workers == 1; }));
    EXPECT_EQ(pool->status().crashes, 2u);
    EXPECT_EQ(pending.answers(), 1);
    EXPECT_EQ(test::Children(), 1u);
  }
  EXPECT_EQ(test::Children(), 0u);
  EXPECT_EQ(test::OpenDescriptors(), descriptors);
}

INSTANTIATE_TEST_SUITE_P(EveryWay, CrashingModeTest,
                         testing::Values("garbage", "garbage_message", "wrong_id", "half_reply",
                                         "exit_zero", "exit_seven", "abort", "size_bomb",
                                         "no_items", "unsealed_field", "short_field",
                                         "second_hello"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST_F(BrokenWorkerTest, PoisonTaskSentAHundredTimesRunsTwice) {
  const auto pool = StartPool("abort");
  ASSERT_NE(pool, nullptr);
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1})).Get(),
                HasReason("WORKER_CRASHED"));
  }
  EXPECT_EQ(pool->status().crashes, 2u);
}

TEST_F(BrokenWorkerTest, QuarantineEnds) {
  PoolOptions options = Options("abort");
  options.quarantine = absl::Milliseconds(50);
  ASSERT_OK_AND_ASSIGN(const auto pool, WorkerPool::Start(options));
  EXPECT_THAT(test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1})).Get(),
              HasReason("WORKER_CRASHED"));
  EXPECT_TRUE(WaitFor([&] {
    const auto result = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1})).Get();
    EXPECT_THAT(result, HasReason("WORKER_CRASHED"));
    return pool->status().crashes > 2;
  }));
}

TEST_F(BrokenWorkerTest, ThatIgnoresCancelIsKilledAfterTheGrace) {
  const auto pool = StartPool("ignore_cancel");
  ASSERT_NE(pool, nullptr);
  Pending pending = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1}));
  ASSERT_TRUE(WaitFor([&] { return pool->status().running_tasks == 1; }));
  const int pid = pool->status().worker_pids.front();
  const auto cancelled = std::chrono::steady_clock::now();
  pool->Cancel(pending.id());
  pool->Cancel(pending.id());
  EXPECT_THAT(pending.Get(), HasReason("CANCELLED"));
  EXPECT_GE(std::chrono::steady_clock::now() - cancelled, std::chrono::milliseconds(100));
  EXPECT_EQ(pending.answers(), 1);
  EXPECT_TRUE(WaitFor([&] {
    const auto pids = pool->status().worker_pids;
    return !pids.empty() && pids.front() != pid;
  }));
  EXPECT_EQ(pool->status().crashes, 0u);
}

TEST_F(BrokenWorkerTest, ThatIgnoresItsTimeoutIsKilledAfterTheGrace) {
  const auto pool = StartPool("ignore_cancel");
  ASSERT_NE(pool, nullptr);
  Task task = test::PathsTask(test::QuickSurface(), 0, {1});
  task.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  EXPECT_THAT(test::Submit(*pool, std::move(task)).Get(), HasReason("DEADLINE_EXCEEDED"));
}

TEST_F(BrokenWorkerTest, AnswerBeforeDeathIsDeliveredOnce) {
  const auto pool = StartPool("answer_then_abort");
  ASSERT_NE(pool, nullptr);
  Pending pending = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1}));
  EXPECT_THAT(pending.Get(), HasReason("CELL_LIMIT"));
  EXPECT_TRUE(WaitFor([&] { return pool->status().crashes == 1; }));
  EXPECT_TRUE(WaitFor([&] { return pool->status().usable_workers == 1; }));
  EXPECT_EQ(pending.answers(), 1);
  EXPECT_EQ(pool->status().retried_tasks, 0u);
}

TEST_F(BrokenWorkerTest, SecondAnswerIsNotTakenForTheNextTasks) {
  const auto pool = StartPool("answer_twice");
  ASSERT_NE(pool, nullptr);
  Pending pending = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1}));
  EXPECT_THAT(pending.Get(), HasReason("CELL_LIMIT"));
  EXPECT_TRUE(WaitFor([&] { return pool->status().crashes == 1; }));
  EXPECT_EQ(pending.answers(), 1);
}

TEST_F(BrokenWorkerTest, OnesThatNeverStartMeanNoWorkers) {
  for (const char* mode : {"bad_version", "crash_at_start", "exit_at_start"}) {
    const auto pool = WorkerPool::Start(Options(mode, 2));
    EXPECT_THAT(pool, HasReason("NO_WORKERS")) << mode;
    EXPECT_EQ(pool.status().code(), absl::StatusCode::kUnavailable);
  }
  EXPECT_EQ(test::Children(), 0u);
}

TEST_F(BrokenWorkerTest, SilentStartEndsAtTheTimeout) {
  PoolOptions options = Options("no_hello");
  options.start_timeout = absl::Milliseconds(30);
  EXPECT_THAT(WorkerPool::Start(options), HasReason("NO_WORKERS"));
  EXPECT_EQ(test::Children(), 0u);
}

TEST_F(BrokenWorkerTest, MissingProgramMeansNoWorkersAndNoPathInTheMessage) {
  PoolOptions options = test::RealPool(2);
  options.worker_binary = folder_.File("not-there");
  const auto pool = WorkerPool::Start(options);
  EXPECT_THAT(pool, HasReason("NO_WORKERS"));
  EXPECT_THAT(std::string(pool.status().message()), testing::Not(testing::HasSubstr("not-there")));
}

TEST_F(BrokenWorkerTest, ProgramThatVanishesTurnsThePoolUnusableAndBack) {
  PoolOptions options = Options("ignore_cancel");
  ASSERT_OK_AND_ASSIGN(const auto pool, WorkerPool::Start(options));
  std::filesystem::remove(options.worker_binary);
  Pending running = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1}));
  Pending waiting = test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {2}));
  ASSERT_TRUE(WaitFor([&] { return pool->status().running_tasks == 1; }));
  pool->Cancel(running.id());  // ignored, so the worker is killed
  EXPECT_THAT(running.Get(), HasReason("CANCELLED"));
  EXPECT_THAT(waiting.Get(), HasReason("NO_WORKERS"));
  EXPECT_EQ(pool->status().usable_workers, 0u);
  std::vector<Task> tasks;
  tasks.push_back(test::PathsTask(test::QuickSurface(), 0, {1}));
  EXPECT_THAT(pool->Submit(std::move(tasks)), HasReason("NO_WORKERS"));

  std::filesystem::create_symlink(test::ProgramPath("talweg-worker"), options.worker_binary);
  EXPECT_TRUE(WaitFor([&] { return pool->status().usable_workers == 1; }));
  EXPECT_THAT(test::Submit(*pool, test::PathsTask(test::QuickSurface(), 0, {1})).Get(), IsOk());
}

}  // namespace
}  // namespace talweg::workers
