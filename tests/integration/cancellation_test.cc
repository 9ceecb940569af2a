// Deadlines and cancellations stop the search in the worker, not only the
// answer.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "requests.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

using std::chrono::milliseconds;

class CancellationTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = std::make_unique<TestServer>();
    // A field of it takes about a second.
    ASSERT_THAT(Put(server_->client(), "big",
                    RandomSurface({6000, 6000}, ValueType::kUint16, Temper::kUniform, 6)),
                IsOk());
    ASSERT_THAT(Put(server_->client(), "small", Uniform({3, 3}, 1)), IsOk());
  }
  static void TearDownTestSuite() { server_.reset(); }

  static uint64_t SettledCells() {
    const auto info = server_->client().GetServerInfo();
    EXPECT_THAT(info, IsOk());
    return info.ok() ? info->settled_cells() : 0;
  }

  // The workers are idle within 100 ms (and the pool's grace, on a machine that
  // is busy with other things); from then on the count stands still, and the
  // same processes as before answer.
  static void ExpectWorkersStopped(const std::vector<pid_t>& pids) {
    const auto start = std::chrono::steady_clock::now();
    constexpr auto kLatest = milliseconds(100 + 500);
    uint64_t running = 1;
    while (running > 0 && std::chrono::steady_clock::now() - start < kLatest) {
      ASSERT_OK_AND_ASSIGN(const v1::GetServerInfoResponse info, server_->client().GetServerInfo());
      running = info.running_tasks() + info.queued_tasks();
      std::this_thread::sleep_for(milliseconds(2));
    }
    EXPECT_EQ(running, 0u);
    RecordProperty("stop_ms", static_cast<int>(std::chrono::duration<double, std::milli>(
                                                   std::chrono::steady_clock::now() - start)
                                                   .count()));
    const uint64_t settled = SettledCells();
    EXPECT_GT(settled, 0u);
    std::this_thread::sleep_for(milliseconds(200));
    EXPECT_EQ(SettledCells(), settled);
    EXPECT_EQ(server_->WorkerPids(), pids);
    v1::ComputeMatrixRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/small");
    *request.mutable_sources() = Cells({{0, 0}, {0, 2}});
    ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Matrix(server_->client(), request));
    EXPECT_EQ(answer.cost(0, 1), 2);
  }

  static v1::ComputeMatrixRequest LongMatrix() {
    v1::ComputeMatrixRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/big");
    std::vector<std::pair<int64_t, int64_t>> cells;
    for (int64_t i = 0; i < 60; ++i) cells.emplace_back(100 * i, 5999 - 100 * i);
    *request.mutable_sources() = Cells(cells);
    return request;
  }
  static v1::ComputeCostFieldRequest LongField() {
    v1::ComputeCostFieldRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/big");
    *request.mutable_sources() = Cells({{0, 0}});
    return request;
  }

  static std::unique_ptr<TestServer> server_;
};
std::unique_ptr<TestServer> CancellationTest::server_;

TEST_F(CancellationTest, ACancelledMatrixStopsItsWorkersWithin100Ms) {
  const std::vector<pid_t> pids = server_->WorkerPids();
  std::atomic<bool> cancel{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(400));
    cancel = true;
  });
  const auto answer =
      Matrix(server_->client(), LongMatrix(), {.cancelled = [&] { return cancel.load(); }});
  canceller.join();
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kCancelled);
  ExpectWorkersStopped(pids);
}

TEST_F(CancellationTest, ACancelledFieldStopsItsWorkerWithin100Ms) {
  const std::vector<pid_t> pids = server_->WorkerPids();
  std::atomic<bool> cancel{false};
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(150));
    cancel = true;
  });
  const auto answer =
      Field(server_->client(), LongField(), {.cancelled = [&] { return cancel.load(); }});
  canceller.join();
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kCancelled);
  ExpectWorkersStopped(pids);
}

TEST_F(CancellationTest, ADeadlineStopsTheWorkers) {
  const std::vector<pid_t> pids = server_->WorkerPids();
  const auto start = std::chrono::steady_clock::now();
  const auto answer = Matrix(server_->client(), LongMatrix(), {.timeout = absl::Milliseconds(300)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(600));
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kDeadlineExceeded);
  ExpectWorkersStopped(pids);
}

TEST_F(CancellationTest, AClientThatDropsItsConnectionStopsTheWorkers) {
  const std::vector<pid_t> pids = server_->WorkerPids();
  auto client = server_->Connect();
  client::AnswerHandlers handlers;
  // Leaves as soon as the workers are at it.
  handlers.on_header = [](const v1::AnswerHeader&) {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (SettledCells() == 0 && std::chrono::steady_clock::now() < latest) {
      std::this_thread::sleep_for(milliseconds(2));
    }
    return absl::AbortedError("the user has seen enough");
  };
  const auto summary = client->ComputeMatrix(LongMatrix(), handlers);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kAborted);
  client.reset();
  ExpectWorkersStopped(pids);
}

TEST_F(CancellationTest, OthersAreAnsweredWhileAMatrixRuns) {
  ASSERT_THAT(Put(server_->client(), "middle",
                  RandomSurface({1000, 1000}, ValueType::kUint16, Temper::kUniform, 6)),
              IsOk());
  v1::ComputeMatrixRequest long_matrix = LongMatrix();
  *long_matrix.mutable_recipe() = RecipeOn("surfaces/middle");
  *long_matrix.mutable_sources() = Cells(std::vector<std::pair<int64_t, int64_t>>(1, {0, 0}));
  for (int64_t i = 0; i < 1000; ++i) {
    long_matrix.mutable_sources()->add_points()->mutable_cell()->set_row(i);
  }
  std::atomic<bool> cancel{false};
  std::atomic<bool> over{false};
  std::thread busy([&] {
    const auto client = server_->Connect();
    const auto answer = Matrix(*client, long_matrix, {.cancelled = [&] { return cancel.load(); }});
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kCancelled);
    over = true;
  });
  std::this_thread::sleep_for(milliseconds(100));
  v1::ComputeMatrixRequest request;
  *request.mutable_recipe() = RecipeOn("surfaces/small");
  *request.mutable_sources() = Cells({{0, 0}, {0, 2}});
  EXPECT_THAT(Matrix(server_->client(), request), IsOk());
  EXPECT_FALSE(over);
  cancel = true;
  busy.join();
}

}  // namespace
}  // namespace talweg::test
