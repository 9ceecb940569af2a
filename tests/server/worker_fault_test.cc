// Real workers that are killed, crashed and stopped under running tasks.
#include <gmock/gmock.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "pool_harness.h"
#include "process_facts.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "talweg/workers/worker_pool.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;
using test::Pending;
using test::WaitFor;

class WorkerFaultTest : public testing::Test {
 protected:
  void StartPool(int workers, absl::Duration cancel_grace = absl::Milliseconds(500)) {
    PoolOptions options = test::RealPool(workers);
    options.cancel_grace = cancel_grace;
    auto pool = WorkerPool::Start(options);
    ASSERT_THAT(pool, IsOk());
    pool_ = *std::move(pool);
  }
  // The one worker's process, once the task runs in it: there is a report of
  // progress that it had not made when the worker `before` was ended.
  int BusyWorker(const Pending& task, int before = 0) {
    int pid = 0;
    EXPECT_TRUE(WaitFor([&] {
      const std::vector<int> pids = pool_->status().worker_pids;
      pid = pids.empty() ? 0 : pids.front();
      return pid != 0 && pid != before;
    }));
    const int reports = task.progress_reports();
    EXPECT_TRUE(WaitFor([&] { return task.progress_reports() > reports; }));
    return pid;
  }

  std::unique_ptr<WorkerPool> pool_;
};

TEST_F(WorkerFaultTest, KilledWorkersTaskRunsAgainAndIsRight) {
  StartPool(1);
  const test::SurfacePtr surface = test::SlowSurface();
  const Shape shape = surface->description().shape;
  const Cell far = {shape.rows / 2, shape.cols / 2};
  Task task = test::PathsTask(surface, 0, {ToIndex(shape, far)});
  const OneToManyAnswer expected = test::ExpectedPaths(task);
  Pending pending = test::Submit(*pool_, std::move(task));
  kill(BusyWorker(pending), SIGKILL);
  EXPECT_TRUE(test::SameAnswer(pending.Get(), expected));
  const PoolStatus status = pool_->status();
  EXPECT_EQ(status.crashes, 1u);
  EXPECT_EQ(status.retried_tasks, 1u);
  EXPECT_EQ(pending.answers(), 1);
}

TEST_F(WorkerFaultTest, KillsFromOutsideAreNotTheTasksFault) {
  StartPool(1);
  Pending pending = test::Submit(*pool_, test::FieldTask(test::SlowSurface()));
  int pid = BusyWorker(pending);
  for (int i = 0; i < 4; ++i) {
    kill(pid, SIGKILL);
    pid = BusyWorker(pending, pid);
  }
  EXPECT_THAT(pending.Get(), IsOk());
  EXPECT_EQ(pool_->status().retried_tasks, 4u);
}

TEST_F(WorkerFaultTest, TaskThatCrashesTwoWorkersFailsAndIsQuarantined) {
  StartPool(1);
  Pending pending = test::Submit(*pool_, test::FieldTask(test::SlowSurface()));
  const int first = BusyWorker(pending);
  kill(first, SIGSEGV);
  kill(BusyWorker(pending, first), SIGSEGV);
  const auto result = pending.Get();
  EXPECT_THAT(result, HasReason("WORKER_CRASHED"));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("2 attempts"));
  EXPECT_EQ(pool_->status().crashes, 2u);

  Pending again = test::Submit(*pool_, test::FieldTask(test::SlowSurface()));
  EXPECT_THAT(again.Get(), HasReason("WORKER_CRASHED"));
  EXPECT_EQ(pool_->status().crashes, 2u);  // it did not run

  Task other = test::FieldTask(test::QuickSurface());
  EXPECT_THAT(test::Submit(*pool_, std::move(other)).Get(), IsOk());
}

TEST_F(WorkerFaultTest, OneCrashIsForgiven) {
  StartPool(1);
  Pending pending = test::Submit(*pool_, test::FieldTask(test::SlowSurface()));
  kill(BusyWorker(pending), SIGABRT);
  EXPECT_THAT(pending.Get(), IsOk());
}

TEST_F(WorkerFaultTest, StoppedWorkerIsKilledAtDeadlinePlusGrace) {
  StartPool(1, absl::Milliseconds(100));
  Task task = test::FieldTask(test::SlowSurface());
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(700) * test::Slowdown();
  task.deadline = deadline;
  Pending pending = test::Submit(*pool_, std::move(task));
  const int pid = BusyWorker(pending);
  kill(pid, SIGSTOP);
  EXPECT_THAT(pending.Get(), HasReason("DEADLINE_EXCEEDED"));
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  EXPECT_LT(std::chrono::steady_clock::now(),
            deadline + std::chrono::seconds(2) * test::Slowdown());
  EXPECT_THAT(test::Submit(*pool_, test::FieldTask(test::QuickSurface())).Get(), IsOk());
  EXPECT_NE(pool_->status().worker_pids.front(), pid);
}

TEST_F(WorkerFaultTest, StoppedWorkerIsKilledWhenItDoesNotHeedACancel) {
  StartPool(1, absl::Milliseconds(100));
  Pending pending = test::Submit(*pool_, test::FieldTask(test::SlowSurface()));
  kill(BusyWorker(pending), SIGSTOP);
  pool_->Cancel(pending.id());
  EXPECT_THAT(pending.Get(), HasReason("CANCELLED"));
  EXPECT_THAT(test::Submit(*pool_, test::FieldTask(test::QuickSurface())).Get(), IsOk());
}

TEST_F(WorkerFaultTest, IdleWorkersThatDieAreReplaced) {
  StartPool(3);
  const std::vector<int> pids = pool_->status().worker_pids;
  for (const int pid : pids) kill(pid, SIGKILL);
  EXPECT_TRUE(WaitFor([&] { return pool_->status().crashes == 3; }));
  EXPECT_TRUE(WaitFor([&] { return pool_->status().usable_workers == 3; }));
  EXPECT_THAT(test::Submit(*pool_, test::FieldTask(test::QuickSurface())).Get(), IsOk());
  EXPECT_EQ(test::Children(), 3u);
}

TEST_F(WorkerFaultTest, DeathIsNoticedWithinMilliseconds) {
  StartPool(1);
  const int pid = pool_->status().worker_pids.front();
  const auto killed = std::chrono::steady_clock::now();
  kill(pid, SIGKILL);
  EXPECT_TRUE(WaitFor([&] { return pool_->status().crashes == 1; }));
  EXPECT_LT(std::chrono::steady_clock::now() - killed,
            std::chrono::milliseconds(250) * test::Slowdown());
}

// Promise 1: a crash costs only its own request.
TEST_F(WorkerFaultTest, RandomKillsEvery50MsLoseNothingAndFalsifyNothing) {
  StartPool(3);
  const test::SurfacePtr surface = test::StoreSurface(test::RandomSurface(
      {300, 300}, ValueType::kFloat64, test::Temper::kUniform, test::BaseSeed()));
  constexpr size_t kTasks = 200;
  constexpr size_t kKinds = 10;
  std::vector<Task> kinds;
  std::vector<OneToManyAnswer> expected;
  for (size_t kind = 0; kind < kKinds; ++kind) {
    std::vector<CellIndex> destinations;
    for (CellIndex i = 0; i < 12; ++i) {
      destinations.push_back((static_cast<CellIndex>(kind) * 7919 + i * 7507) % 90'000);
    }
    kinds.push_back(test::PathsTask(surface, static_cast<CellIndex>(kind) * 8111, destinations));
    expected.push_back(test::ExpectedPaths(kinds.back()));
  }
  std::vector<Pending> pending;
  std::atomic<bool> stop = false;
  std::atomic<int> kills = 0;
  std::jthread killer([&] {
    std::mt19937_64 random(test::BaseSeed());
    while (!stop) {
      const std::vector<int> pids = pool_->status().worker_pids;
      if (!pids.empty()) {
        kill(pids[random() % pids.size()], SIGKILL);
        ++kills;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50) * test::Slowdown());
    }
  });
  size_t wrong = 0;
  // Waves, so that there are kills enough.
  const size_t waves = test::Slowdown() > 1 ? 1 : 5;
  for (size_t wave = 0; wave < waves; ++wave) {
    pending.clear();
    for (size_t i = 0; i < kTasks; ++i) {
      pending.push_back(test::Submit(*pool_, kinds[i % kKinds]));
    }
    for (size_t i = 0; i < kTasks; ++i) {
      if (!test::SameAnswer(pending[i].Get(), expected[i % kKinds])) ++wrong;
      if (pending[i].answers() != 1) ++wrong;
    }
  }
  stop = true;
  killer.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(kills, 2);
  EXPECT_TRUE(WaitFor([&] { return pool_->status().usable_workers == 3; }));
  EXPECT_EQ(test::Children(), 3u);
}

TEST_F(WorkerFaultTest, CancelsRacingWithAnswersAndKillsAnswerOnce) {
  StartPool(2);
  std::mt19937_64 random(test::BaseSeed());
  std::vector<Pending> pending;
  for (int i = 0; i < 300; ++i) {
    pending.push_back(test::Submit(*pool_, test::PathsTask(test::QuickSurface(), i, {4000})));
    if (random() % 2 == 0) pool_->Cancel(pending[random() % pending.size()].id());
    if (random() % 50 == 0) {
      const std::vector<int> pids = pool_->status().worker_pids;
      if (!pids.empty()) kill(pids.front(), SIGKILL);
    }
  }
  for (Pending& task : pending) {
    const auto result = task.Get();
    EXPECT_TRUE(result.ok() || result.status().code() == absl::StatusCode::kCancelled)
        << result.status();
  }
  EXPECT_TRUE(WaitFor([&] {
    const PoolStatus status = pool_->status();
    return status.running_tasks == 0 && status.queued_tasks == 0;
  }));
  for (const Pending& task : pending) EXPECT_EQ(task.answers(), 1);
}

TEST_F(WorkerFaultTest, ShutdownUnderKillsEndsEverything) {
  for (int round = 0; round < 5; ++round) {
    StartPool(2);
    std::vector<Pending> pending;
    for (int i = 0; i < 10; ++i) {
      pending.push_back(test::Submit(*pool_, test::FieldTask(test::QuickSurface())));
    }
    for (const int pid : pool_->status().worker_pids) kill(pid, SIGKILL);
    pool_.reset();
    for (Pending& task : pending) EXPECT_EQ(task.answers(), 1);
    EXPECT_EQ(test::Children(), 0u);
  }
}

}  // namespace
}  // namespace talweg::workers
