#include "task_queue.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "talweg/test/status_matchers.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;

std::vector<Task> Tasks(size_t count) { return std::vector<Task>(count); }

class TaskQueueTest : public testing::Test {
 protected:
  TaskQueue queue_{3};
  const Waker slot_ = *Waker::Make();
};

TEST_F(TaskQueueTest, IsFirstInFirstOut) {
  ASSERT_OK_AND_ASSIGN(const auto ids, queue_.Submit(Tasks(3)));
  for (const auto id : ids) EXPECT_EQ(queue_.Take(slot_)->id, id);
  EXPECT_EQ(queue_.Take(slot_), nullptr);
  EXPECT_EQ(queue_.counts().running, 3u);
}

TEST_F(TaskQueueTest, TakesAllOfABatchOrNothing) {
  ASSERT_THAT(queue_.Submit(Tasks(2)), IsOk());
  const auto refused = queue_.Submit(Tasks(2));
  EXPECT_THAT(refused, HasReason("QUEUE_FULL"));
  EXPECT_TRUE(GetErrorDetail(refused.status()).retry_delay.has_value());
  EXPECT_EQ(queue_.counts().waiting, 2u);
  EXPECT_THAT(queue_.Submit(Tasks(1)), IsOk());
  EXPECT_THAT(queue_.Submit(Tasks(4)), HasReason("QUEUE_FULL"));
}

TEST_F(TaskQueueTest, RetriedTaskComesFirstEvenWhenTheQueueIsFull) {
  ASSERT_OK_AND_ASSIGN(const auto ids, queue_.Submit(Tasks(3)));
  const TaskPtr task = queue_.Take(slot_);
  ASSERT_THAT(queue_.Submit(Tasks(1)), IsOk());
  EXPECT_EQ(queue_.PutBack(task), TaskQueue::Again::kTaken);
  EXPECT_EQ(queue_.Take(slot_), task);
}

TEST_F(TaskQueueTest, CancelTakesAWaitingTaskOutAndMarksARunningOne) {
  ASSERT_OK_AND_ASSIGN(const auto ids, queue_.Submit(Tasks(2)));
  const TaskPtr running = queue_.Take(slot_);
  EXPECT_EQ(queue_.Cancel(ids[1])->id, ids[1]);
  EXPECT_EQ(queue_.Cancel(ids[1]), nullptr);
  EXPECT_EQ(queue_.Cancel(ids[0]), nullptr);
  EXPECT_EQ(running->stop, StopWish::kCancelled);
  EXPECT_EQ(queue_.PutBack(running), TaskQueue::Again::kRefused);
  queue_.Finish(running);
  EXPECT_EQ(queue_.Cancel(ids[0]), nullptr);
  EXPECT_TRUE(queue_.WaitUntilEmpty(std::chrono::steady_clock::now()));
}

TEST_F(TaskQueueTest, WaitingTaskIsGivenBackAtItsDeadline) {
  std::vector<Task> tasks(2);
  const auto now = std::chrono::steady_clock::now();
  tasks[0].deadline = now + std::chrono::hours(1);
  tasks[1].deadline = now + std::chrono::milliseconds(20);
  ASSERT_OK_AND_ASSIGN(const auto ids, queue_.Submit(std::move(tasks)));
  const auto expired = queue_.WaitForExpired();
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0]->id, ids[1]);
  EXPECT_GE(std::chrono::steady_clock::now(), now + std::chrono::milliseconds(20));
}

TEST_F(TaskQueueTest, ExpiryWaitEndsWhenTold) {
  std::jthread waiter([this] { EXPECT_TRUE(queue_.WaitForExpired().empty()); });
  queue_.EndExpiryWait();
}

TEST_F(TaskQueueTest, RefusalGivesBackTheWaitingAndCanBeLifted) {
  ASSERT_THAT(queue_.Submit(Tasks(2)), IsOk());
  EXPECT_EQ(queue_.Refuse(NoWorkers("test", absl::Seconds(1))).size(), 2u);
  EXPECT_THAT(queue_.Submit(Tasks(1)), HasReason("NO_WORKERS"));
  queue_.Refuse(absl::OkStatus());
  EXPECT_THAT(queue_.Submit(Tasks(1)), IsOk());
}

TEST_F(TaskQueueTest, StopAllGivesBackTheWaitingAndStopsTheRunning) {
  ASSERT_THAT(queue_.Submit(Tasks(3)), IsOk());
  const TaskPtr running = queue_.Take(slot_);
  EXPECT_EQ(queue_.StopAll().size(), 2u);
  EXPECT_EQ(running->stop, StopWish::kShuttingDown);
  EXPECT_THAT(queue_.Submit(Tasks(1)), HasReason("SHUTTING_DOWN"));
  EXPECT_FALSE(queue_.WaitUntilEmpty(std::chrono::steady_clock::now()));
  queue_.Finish(running);
  EXPECT_TRUE(queue_.WaitUntilEmpty(MonotonicTime::max()));
}

}  // namespace
}  // namespace talweg::workers
