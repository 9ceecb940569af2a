// ComputeMatrix through the real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "requests.h"
#include "talweg/base/version.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class MatrixTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<TestServer>(); }
  static void TearDownTestSuite() { server_.reset(); }

  static void Publish(const CostSurface& surface) {
    ASSERT_THAT(Put(server_->client(), "s", surface), IsOk());
  }
  static v1::ComputeMatrixRequest Request(const std::vector<std::pair<int64_t, int64_t>>& sources) {
    v1::ComputeMatrixRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/s");
    *request.mutable_sources() = Cells(sources);
    return request;
  }
  static absl::StatusOr<PairsAnswer> Ask(const v1::ComputeMatrixRequest& request) {
    return Matrix(server_->client(), request);
  }

  static std::unique_ptr<TestServer> server_;
};
std::unique_ptr<TestServer> MatrixTest::server_;

TEST_F(MatrixTest, GoldenTwoByTwo) {
  Publish(Surface({{1, 3}, {10, 12}}));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  *request.mutable_destinations() = Cells({{1, 1}});
  ASSERT_OK_AND_ASSIGN(PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.cost(0, 0), 9.19238815542512);
  request.mutable_recipe()->set_neighbourhood(v1::NEIGHBOURHOOD_4);
  ASSERT_OK_AND_ASSIGN(answer, Ask(request));
  EXPECT_EQ(answer.cost(0, 0), 9.5);
  request.mutable_recipe()->mutable_entry();
  ASSERT_OK_AND_ASSIGN(answer, Ask(request));
  EXPECT_EQ(answer.cost(0, 0), 16);
}

TEST_F(MatrixTest, GoldenSampling) {
  Publish(Uniform({5, 6}, 1));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  *request.mutable_destinations() = Cells({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}});
  request.mutable_recipe()->mutable_sampling()->set_dy(2);
  request.mutable_recipe()->mutable_sampling()->set_dx(1);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  for (uint32_t row = 0; row < 5; ++row) EXPECT_EQ(answer.cost(0, row), 2.0 * row);
  EXPECT_EQ(answer.cost(0, 5), std::sqrt(5.0));
  EXPECT_NEAR(answer.cost(0, 5), 2.236067977, 1e-9);
}

TEST_F(MatrixTest, DestinationsAbsentMeansTheSources) {
  Publish(Uniform({3, 3}, 2));
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(Request({{0, 0}, {0, 2}, {2, 2}})));
  EXPECT_EQ(answer.pairs.size(), 9u);
  EXPECT_EQ(answer.header.destinations_size(), 3);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(answer.cost(i, i), 0);
  EXPECT_EQ(answer.cost(0, 1), 4);
  EXPECT_EQ(answer.pairs.at({0, 1}).length, 2);
  EXPECT_EQ(answer.summary.searches(), 3u);
}

TEST_F(MatrixTest, TheHeaderEchoesTheRecipeAndPinsTheRevision) {
  ASSERT_OK_AND_ASSIGN(const v1::Surface surface, Put(server_->client(), "s", Uniform({3, 3}, 2)));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  request.mutable_sources()->mutable_points(0)->set_id("camp");
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  const v1::AnswerHeader& header = answer.header;
  EXPECT_EQ(header.surface(), "surfaces/s");
  EXPECT_EQ(header.revision(), surface.revision());
  EXPECT_EQ(header.recipe().surfaces(0).surface(), "surfaces/s@" + surface.revision());
  EXPECT_EQ(header.recipe().units(), v1::LENGTH_UNIT_CELLS);
  EXPECT_EQ(header.recipe().neighbourhood(), v1::NEIGHBOURHOOD_8);
  EXPECT_TRUE(header.recipe().has_mean());
  EXPECT_EQ(header.server_version(), std::string(Version()));
  EXPECT_NEAR(header.max_elongation_percent(), 8.24, 0.01);
  ASSERT_EQ(header.sources_size(), 1);
  EXPECT_EQ(header.sources(0).id(), "camp");
  EXPECT_EQ(header.sources(0).outcome(), v1::POINT_OUTCOME_OK);
  EXPECT_EQ(header.sources(0).xy().x(), 0.5);
  // The echo is a request that gives the same answer.
  v1::ComputeMatrixRequest again = request;
  *again.mutable_recipe() = header.recipe();
  ASSERT_OK_AND_ASSIGN(const PairsAnswer same, Ask(again));
  EXPECT_EQ(same.header.recipe().SerializeAsString(), header.recipe().SerializeAsString());
}

TEST_F(MatrixTest, OneBadPointNeverFailsTheOthers) {
  Publish(Surface({{1, 1, kNaN}, {1, 1, 1}}));
  v1::ComputeMatrixRequest request = Request({{0, 0}, {-1, 0}, {0, 2}, {1, 2}});
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.pairs.size(), 16u);
  EXPECT_EQ(answer.outcome(0, 3), v1::OUTCOME_OK);
  EXPECT_EQ(answer.outcome(1, 0), v1::OUTCOME_SOURCE_OUTSIDE);
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_DESTINATION_OUTSIDE);
  EXPECT_EQ(answer.outcome(2, 0), v1::OUTCOME_SOURCE_IMPASSABLE);
  EXPECT_EQ(answer.outcome(0, 2), v1::OUTCOME_DESTINATION_IMPASSABLE);
  EXPECT_TRUE(std::isnan(answer.cost(1, 0)));
  EXPECT_TRUE(std::isnan(answer.pairs.at({0, 2}).length));
  EXPECT_EQ(answer.header.sources(1).outcome(), v1::POINT_OUTCOME_OUTSIDE);
  EXPECT_EQ(answer.header.sources(2).outcome(), v1::POINT_OUTCOME_IMPASSABLE);
}

TEST_F(MatrixTest, PointsOnTheFarEdgeAreOutside) {
  Publish(Uniform({2, 3}, 1));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  v1::PointList& destinations = *request.mutable_destinations();
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{3, 0.5}, {2.999, 1.999}}) {
    v1::Point& point = *destinations.add_points();
    point.mutable_xy()->set_x(x);
    point.mutable_xy()->set_y(y);
  }
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.outcome(0, 0), v1::OUTCOME_DESTINATION_OUTSIDE);
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_OK);
  EXPECT_EQ(answer.header.destinations(1).cell().col(), 2);
}

TEST_F(MatrixTest, EveryCellImpassableIsAnAnswerWithWarnings) {
  Publish(Surface({{-1, kNaN}, {kNaN, std::numeric_limits<double>::infinity()}}));
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(Request({{0, 0}, {1, 1}})));
  for (const auto& [pair, value] : answer.pairs) {
    EXPECT_EQ(value.outcome, v1::OUTCOME_SOURCE_IMPASSABLE);
  }
  EXPECT_THAT(answer.header.warnings(),
              testing::IsSupersetOf({testing::HasSubstr("negative"),
                                     testing::HasSubstr("every cell is impassable"),
                                     testing::HasSubstr("none of the 2 sources")}));
  EXPECT_EQ(answer.summary.searches(), 0u);
}

TEST_F(MatrixTest, IslandsAreUnreachable) {
  Publish(Surface({{1, kNaN, 1}}));
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(Request({{0, 0}, {0, 2}})));
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_UNREACHABLE);
  EXPECT_TRUE(std::isnan(answer.cost(0, 1)));
  EXPECT_EQ(answer.outcome(0, 0), v1::OUTCOME_OK);
  EXPECT_TRUE(answer.summary.warnings().empty());
}

TEST_F(MatrixTest, SumsPastFloat64AreUnreachableWithAWarning) {
  Publish(Surface({{1.5e308, 1.5e308, 1.5e308}}));
  v1::ComputeMatrixRequest request = Request({{0, 0}, {0, 2}});
  request.mutable_recipe()->mutable_entry();
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_UNREACHABLE);
  EXPECT_EQ(answer.cost(0, 0), 1.5e308);
  EXPECT_THAT(answer.summary.warnings(),
              testing::ElementsAre(testing::HasSubstr("largest float64")));
}

TEST_F(MatrixTest, SeveralPointsInOneCellEachGetTheirAnswer) {
  Publish(Uniform({4, 4}, 1));
  v1::ComputeMatrixRequest request = Request({{0, 0}, {0, 0}, {3, 0}, {3, 0}});
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  ASSERT_EQ(answer.pairs.size(), 16u);
  EXPECT_EQ(answer.order.size(), 16u);
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t j = 0; j < 4; ++j) EXPECT_EQ(answer.cost(i, j), i / 2 == j / 2 ? 0 : 3);
  }
  EXPECT_EQ(answer.summary.searches(), 2u);
}

TEST_F(MatrixTest, StartCostsAreSpentAtTheSource) {
  Publish(Uniform({1, 4}, 1));
  v1::ComputeMatrixRequest request = Request({{0, 0}, {0, 0}});
  request.mutable_sources()->mutable_points(1)->set_start_cost(10);
  *request.mutable_destinations() = Cells({{0, 3}});
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.cost(0, 0), 3);
  EXPECT_EQ(answer.cost(1, 0), 13);
}

TEST_F(MatrixTest, SnappingMovesToTheNearestPassableCellAndSaysSo) {
  Publish(Surface({{kNaN, kNaN, 1, 1}, {kNaN, kNaN, 1, 1}}));
  v1::ComputeMatrixRequest request = Request({{0, 0}, {0, 1}, {0, 3}});
  request.mutable_recipe()->mutable_snap()->set_radius_cells(1);
  ASSERT_OK_AND_ASSIGN(PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.outcome(0, 2), v1::OUTCOME_SOURCE_IMPASSABLE);  // two cells away
  EXPECT_EQ(answer.outcome(1, 2), v1::OUTCOME_OK);
  EXPECT_EQ(answer.cost(1, 2), 1);
  EXPECT_EQ(answer.header.sources(1).cell().col(), 2);
  EXPECT_EQ(answer.header.sources(1).moved_cells(), 1);
  EXPECT_EQ(answer.header.sources(2).moved_cells(), 0);
  EXPECT_EQ(answer.header.recipe().snap().radius_cells(), 1);
}

TEST_F(MatrixTest, MaxCostIsInclusiveAndAFloat) {
  Publish(Uniform({1, 4}, 0.5));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  *request.mutable_destinations() = Cells({{0, 1}, {0, 2}, {0, 3}});
  request.mutable_recipe()->mutable_limits()->set_max_cost(1.0);
  ASSERT_OK_AND_ASSIGN(PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_OK);
  EXPECT_EQ(answer.outcome(0, 2), v1::OUTCOME_BEYOND_MAX_COST);
  request.mutable_recipe()->mutable_limits()->set_max_cost(0.5);
  ASSERT_OK_AND_ASSIGN(answer, Ask(request));
  EXPECT_EQ(answer.outcome(0, 0), v1::OUTCOME_OK);
  EXPECT_EQ(answer.outcome(0, 1), v1::OUTCOME_BEYOND_MAX_COST);
}

TEST_F(MatrixTest, MaxCellsIsAnErrorWithTheFigures) {
  Publish(Uniform({50, 50}, 1));
  v1::ComputeMatrixRequest request = Request({{0, 0}});
  *request.mutable_destinations() = Cells({{49, 49}});
  request.mutable_recipe()->mutable_limits()->set_max_cells(100);
  const auto answer = Ask(request);
  EXPECT_THAT(answer, HasReason("CELL_LIMIT"));
  EXPECT_EQ(GetErrorDetail(answer.status()).field, "recipe.limits.max_cells");
  EXPECT_THAT(GetErrorDetail(answer.status()).valid_range, testing::HasSubstr("100"));
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(MatrixTest, SymmetricHasOneValueForBothWays) {
  Publish(RandomSurface({60, 70}, ValueType::kFloat64, Temper::kUniform, 5));
  v1::ComputeMatrixRequest request =
      Request({{3, 4}, {50, 60}, {10, 66}, {-1, 0}, {30, 30}, {3, 4}});
  request.set_include_paths(true);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer off, Ask(request));
  request.set_symmetric(true);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer on, Ask(request));
  ASSERT_EQ(on.pairs.size(), 36u);
  EXPECT_LT(on.summary.searches(), off.summary.searches() + 1);
  for (uint32_t i = 0; i < 6; ++i) {
    for (uint32_t j = 0; j < 6; ++j) {
      EXPECT_EQ(on.outcome(i, j), off.outcome(i, j));
      if (on.outcome(i, j) != v1::OUTCOME_OK) continue;
      EXPECT_EQ(on.cost(i, j), on.cost(j, i));
      EXPECT_NEAR(on.cost(i, j), off.cost(i, j), 1e-12 * off.cost(i, j));
      EXPECT_TRUE(on.cost(i, j) == off.cost(i, j) || on.cost(i, j) == off.cost(j, i));
      auto forth = PathOf(on.pairs.at({i, j}).path, {60, 70});
      const auto back = PathOf(on.pairs.at({j, i}).path, {60, 70});
      EXPECT_EQ(forth.front(), back.back());
      std::reverse(forth.begin(), forth.end());
      EXPECT_EQ(forth, back);
    }
  }
}

TEST_F(MatrixTest, ManySmallSearchesGoInBatchesAndAllArrive) {
  Publish(Uniform({40, 50}, 1));
  std::vector<std::pair<int64_t, int64_t>> cells;
  for (int64_t i = 0; i < 500; ++i) cells.emplace_back(i % 40, (i * 7) % 50);
  v1::ComputeMatrixRequest request = Request(cells);
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  ASSERT_EQ(answer.order.size(), 250'000u);
  ASSERT_EQ(answer.pairs.size(), 250'000u);
  // On a uniform surface the cost is the octile distance.
  for (uint32_t i = 0; i < 500; i += 37) {
    for (uint32_t j = 0; j < 500; j += 41) {
      const auto rows = static_cast<double>(std::abs(cells[i].first - cells[j].first));
      const auto cols = static_cast<double>(std::abs(cells[i].second - cells[j].second));
      const double octile = std::max(rows, cols) + (std::sqrt(2.0) - 1) * std::min(rows, cols);
      EXPECT_NEAR(answer.cost(i, j), octile, 1e-9);
    }
  }
}

TEST_F(MatrixTest, ARevisionCanBePinnedByName) {
  ASSERT_OK_AND_ASSIGN(const v1::Surface first, Put(server_->client(), "s", Uniform({1, 3}, 1)));
  ASSERT_OK_AND_ASSIGN(const v1::Surface second, Put(server_->client(), "s", Uniform({1, 3}, 5)));
  EXPECT_NE(first.revision(), second.revision());
  v1::ComputeMatrixRequest request = Request({{0, 0}, {0, 2}});
  request.mutable_recipe()->mutable_surfaces(0)->set_surface("surfaces/s@" + second.revision());
  ASSERT_OK_AND_ASSIGN(const PairsAnswer answer, Ask(request));
  EXPECT_EQ(answer.cost(0, 1), 10);
  EXPECT_EQ(answer.header.revision(), second.revision());
  request.mutable_recipe()->mutable_surfaces(0)->set_surface("surfaces/s@" + first.revision());
  EXPECT_THAT(Ask(request), HasReason("REVISION_NOT_FOUND"));
}

}  // namespace
}  // namespace talweg::test
