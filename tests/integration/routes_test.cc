// FindRoutes through the real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "requests.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class RoutesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<TestServer>(); }
  static void TearDownTestSuite() { server_.reset(); }
  static v1::FindRoutesRequest Request(
      const std::vector<std::pair<int64_t, int64_t>>& sources,
      const std::vector<std::pair<int64_t, int64_t>>& destinations) {
    v1::FindRoutesRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/s");
    *request.mutable_sources() = Cells(sources);
    *request.mutable_destinations() = Cells(destinations);
    return request;
  }
  static void AddPair(v1::FindRoutesRequest& request, uint32_t source, uint32_t destination) {
    v1::PairIndex& pair = *request.add_pairs();
    pair.set_source(source);
    pair.set_destination(destination);
  }
  static std::unique_ptr<TestServer> server_;
};
std::unique_ptr<TestServer> RoutesTest::server_;

TEST_F(RoutesTest, ARouteGoesThroughTheGap) {
  // . wall, a gap in the last row
  ASSERT_THAT(Put(server_->client(), "s", Surface({{1, kNaN, 1}, {1, kNaN, 1}, {1, 1, 1}})),
              IsOk());
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer,
                       Routes(server_->client(), Request({{0, 0}}, {{0, 2}})));
  const PairValue& route = answer.pairs.at({0, 0});
  EXPECT_EQ(route.outcome, v1::OUTCOME_OK);
  EXPECT_THAT(PathOf(route.path, {3, 3}),
              ElementsAre(Pair(0, 0), Pair(1, 0), Pair(2, 1), Pair(1, 2), Pair(0, 2)));
  EXPECT_DOUBLE_EQ(route.length, 2 + 2 * std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(route.cost, route.length);
}

TEST_F(RoutesTest, SourceIsDestinationIsAPathOfOneCell) {
  ASSERT_THAT(Put(server_->client(), "s", Uniform({2, 2}, 3)), IsOk());
  v1::FindRoutesRequest request = Request({{1, 1}}, {{1, 1}});
  ASSERT_OK_AND_ASSIGN(PairsAnswer answer, Routes(server_->client(), request));
  EXPECT_EQ(answer.cost(0, 0), 0);
  EXPECT_THAT(PathOf(answer.pairs.at({0, 0}).path, {2, 2}), ElementsAre(Pair(1, 1)));
  request.mutable_recipe()->mutable_entry();
  ASSERT_OK_AND_ASSIGN(answer, Routes(server_->client(), request));
  EXPECT_EQ(answer.cost(0, 0), 3);
}

TEST_F(RoutesTest, AnswersComeInTheOrderOfTheRequest) {
  ASSERT_THAT(Put(server_->client(), "s",
                  RandomSurface({200, 200}, ValueType::kFloat32, Temper::kUniform, 3)),
              IsOk());
  std::vector<std::pair<int64_t, int64_t>> cells;
  for (int64_t i = 0; i < 30; ++i) cells.emplace_back((i * 61) % 200, (i * 37) % 200);
  cells.emplace_back(500, 500);  // decided without a search
  v1::FindRoutesRequest request = Request(cells, cells);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer all, Routes(server_->client(), request));
  ASSERT_EQ(all.order.size(), 31u * 31u);
  EXPECT_TRUE(std::is_sorted(all.order.begin(), all.order.end()));

  // Column by column, and one pair three times.
  std::vector<std::pair<uint32_t, uint32_t>> order;
  for (uint32_t destination = 0; destination < 31; destination += 3) {
    for (uint32_t source = 0; source < 31; ++source) order.emplace_back(source, destination);
    order.emplace_back(5, 6);
  }
  for (const auto& [source, destination] : order) AddPair(request, source, destination);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer some, Routes(server_->client(), request));
  EXPECT_EQ(some.order, order);
  for (const auto& [pair, value] : some.pairs) {
    EXPECT_EQ(value.path.SerializeAsString(), all.pairs.at(pair).path.SerializeAsString());
  }
}

TEST_F(RoutesTest, AThousandSmallRoutesInOneCall) {
  ASSERT_THAT(Put(server_->client(), "s", Uniform({1000, 1000}, 1)), IsOk());
  std::vector<std::pair<int64_t, int64_t>> sources;
  std::vector<std::pair<int64_t, int64_t>> destinations;
  for (int64_t i = 0; i < 1000; ++i) {
    sources.emplace_back((i * 31) % 990, (i * 17) % 990);
    destinations.emplace_back(sources.back().first + 3, sources.back().second + 4);
  }
  v1::FindRoutesRequest request = Request(sources, destinations);
  for (uint32_t i = 0; i < 1000; ++i) AddPair(request, i, i);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Routes(server_->client(), request));
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_DOUBLE_EQ(answer.cost(i, i), 1 + 3 * std::sqrt(2.0));
  }
}

}  // namespace
}  // namespace talweg::test
