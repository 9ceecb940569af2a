// Workers die all the time; no answer is wrong and none is lost.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <random>
#include <thread>

#include "requests.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

constexpr int kRequests = 200;
constexpr int kClients = 4;

TEST(Chaos, ARandomWorkerKilledEvery50MsLosesNothing) {
  TestServer server({.workers = 3});
  ASSERT_THAT(Put(server.client(), "s",
                  RandomSurface({300, 300}, ValueType::kFloat64, Temper::kUniform, BaseSeed())),
              IsOk());
  v1::ComputeMatrixRequest request;
  *request.mutable_recipe() = RecipeOn("surfaces/s");
  std::mt19937_64 random(BaseSeed());
  std::vector<std::pair<int64_t, int64_t>> cells;
  for (int i = 0; i < 12; ++i) {
    cells.emplace_back(static_cast<int64_t>(random() % 300), static_cast<int64_t>(random() % 300));
  }
  *request.mutable_sources() = Cells(cells);
  request.set_include_paths(true);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer expected, Matrix(server.client(), request));

  std::atomic<bool> over{false};
  std::atomic<int> kills{0};
  std::thread killer([&] {
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::vector<pid_t> workers = server.WorkerPids();
      if (workers.empty()) continue;
      kill(workers[random() % workers.size()], SIGKILL);
      ++kills;
    }
  });
  std::atomic<int> wrong{0};
  std::atomic<int> lost{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] {
      const auto client = server.Connect();
      for (int k = 0; k < kRequests / kClients; ++k) {
        const auto answer = Matrix(*client, request);
        if (!answer.ok()) {
          ++lost;
          ADD_FAILURE() << Describe(answer.status());
          continue;
        }
        bool same = answer->order.size() == expected.order.size();
        for (const auto& [pair, value] : expected.pairs) {
          const auto found = answer->pairs.find(pair);
          same = same && found != answer->pairs.end() && found->second.cost == value.cost &&
                 found->second.length == value.length && found->second.outcome == value.outcome &&
                 found->second.path.steps() == value.path.steps();
        }
        if (!same) ++wrong;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  over = true;
  killer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(lost, 0);
  EXPECT_GT(kills, 0);
  RecordProperty("kills", kills.load());
  // All workers come back.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  uint32_t usable = 0;
  while (usable < 3 && std::chrono::steady_clock::now() < end) {
    ASSERT_OK_AND_ASSIGN(const v1::GetServerInfoResponse info, server.client().GetServerInfo());
    usable = info.usable_workers();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(usable, 3u);
}

}  // namespace
}  // namespace talweg::test
