// ComputeCostField through the real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "requests.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "test_server.h"

namespace talweg::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class CostFieldTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<TestServer>(); }
  static void TearDownTestSuite() { server_.reset(); }
  static v1::ComputeCostFieldRequest Request(
      const std::vector<std::pair<int64_t, int64_t>>& sources) {
    v1::ComputeCostFieldRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/s");
    *request.mutable_sources() = Cells(sources);
    return request;
  }
  static std::unique_ptr<TestServer> server_;
};
std::unique_ptr<TestServer> CostFieldTest::server_;

TEST_F(CostFieldTest, GoldenEntryField) {
  ASSERT_THAT(Put(server_->client(), "s",
                  Surface({{1, 2, 2, 2}, {2, 3, 2, 1}, {1, 3, 2, 1}, {2, 3, 2, 1}})),
              IsOk());
  v1::ComputeCostFieldRequest request = Request({{3, 3}});
  request.mutable_recipe()->mutable_entry();
  ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
  EXPECT_THAT(answer.costs, ElementsAre(7, 6, 5, 5, 8, 6, 4, 3, 7, 6, 3, 2, 8, 6, 3, 1));
  EXPECT_EQ(answer.summary.stop_cause(), v1::STOP_CAUSE_COMPLETE);
  EXPECT_EQ(answer.summary.reached_cells(), 16u);
  EXPECT_TRUE(answer.back_links.empty());
  EXPECT_TRUE(answer.allocation.empty());
}

TEST_F(CostFieldTest, BackLinksAndAllocationComeOnRequest) {
  ASSERT_THAT(Put(server_->client(), "s", Surface({{1, 1, 1, kNaN, 1}})), IsOk());
  v1::ComputeCostFieldRequest request = Request({{0, 0}, {7, 7}, {0, 2}});
  request.set_include_back_links(true);
  request.set_include_allocation(true);
  ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
  EXPECT_THAT(answer.back_links, ElementsAre(255, 1, 255, 253, 254));
  // Indices into the request's sources, the bad one counted.
  EXPECT_THAT(answer.allocation, ElementsAre(0, 0, 2, -1, -1));
  EXPECT_EQ(answer.costs[1], 1);
  EXPECT_TRUE(std::isnan(answer.costs[3]));
  EXPECT_EQ(answer.costs[4], kInf);
}

TEST_F(CostFieldTest, BlocksOfABigFieldFitTogether) {
  ASSERT_THAT(Put(server_->client(), "s", Uniform({1000, 1000}, 1)), IsOk());
  v1::ComputeCostFieldRequest request = Request({{0, 0}});
  request.set_include_back_links(true);
  request.set_include_allocation(true);
  ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
  ASSERT_EQ(answer.costs.size(), 1'000'000u);
  ASSERT_EQ(answer.back_links.size(), 1'000'000u);
  ASSERT_EQ(answer.allocation.size(), 1'000'000u);
  EXPECT_GE(answer.blocks, 13);
  EXPECT_EQ(answer.costs[999], 999);
  EXPECT_NEAR(answer.costs.back(), 999 * std::sqrt(2.0), 1e-6);
}

TEST_F(CostFieldTest, StopsForItsDestinationsAndHoldsNothingDearer) {
  ASSERT_THAT(Put(server_->client(), "s", Surface({{1, 1, 1, 1, 1, kNaN, 1}})), IsOk());
  v1::ComputeCostFieldRequest request = Request({{0, 0}});
  *request.mutable_destinations() = Cells({{0, 2}, {0, 5}, {9, 9}, {0, 2}});
  ASSERT_OK_AND_ASSIGN(FieldAnswer answer, Field(server_->client(), request));
  EXPECT_EQ(answer.summary.stop_cause(), v1::STOP_CAUSE_DESTINATIONS_SETTLED);
  EXPECT_THAT(answer.summary.destination_outcomes(),
              ElementsAre(v1::OUTCOME_OK, v1::OUTCOME_DESTINATION_IMPASSABLE,
                          v1::OUTCOME_DESTINATION_OUTSIDE, v1::OUTCOME_OK));
  EXPECT_EQ(answer.summary.destination_costs(0), 2);
  EXPECT_TRUE(std::isnan(answer.summary.destination_costs(1)));
  EXPECT_EQ(answer.costs[2], 2);
  EXPECT_EQ(answer.costs[3], kInf);
  // An unreachable one: everything is searched.
  *request.mutable_destinations() = Cells({{0, 6}});
  ASSERT_OK_AND_ASSIGN(answer, Field(server_->client(), request));
  EXPECT_EQ(answer.summary.stop_cause(), v1::STOP_CAUSE_COMPLETE);
  EXPECT_THAT(answer.summary.destination_outcomes(), ElementsAre(v1::OUTCOME_UNREACHABLE));
  EXPECT_EQ(answer.costs[4], 4);
}

TEST_F(CostFieldTest, MaxCostIsInclusive) {
  ASSERT_THAT(Put(server_->client(), "s", Uniform({1, 5}, 0.5)), IsOk());
  v1::ComputeCostFieldRequest request = Request({{0, 0}});
  request.mutable_recipe()->mutable_limits()->set_max_cost(1);
  ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
  EXPECT_THAT(answer.costs, ElementsAre(0, 0.5, 1, kInf, kInf));
  EXPECT_EQ(answer.summary.stop_cause(), v1::STOP_CAUSE_MAX_COST);
}

TEST_F(CostFieldTest, WithoutAUsableSourceNothingIsReached) {
  ASSERT_THAT(Put(server_->client(), "s", Surface({{1, kNaN}})), IsOk());
  for (const auto& source : std::vector<std::pair<int64_t, int64_t>>{{5, 5}, {0, 1}}) {
    v1::ComputeCostFieldRequest request = Request({source});
    *request.mutable_destinations() = Cells({{0, 0}});
    request.set_include_back_links(true);
    request.set_include_allocation(true);
    ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
    ASSERT_EQ(answer.costs.size(), 2u);
    EXPECT_EQ(answer.costs[0], kInf);
    EXPECT_TRUE(std::isnan(answer.costs[1]));
    EXPECT_THAT(answer.back_links, ElementsAre(254, 253));
    EXPECT_THAT(answer.allocation, ElementsAre(-1, -1));
    EXPECT_EQ(answer.summary.reached_cells(), 0u);
    EXPECT_THAT(answer.summary.destination_outcomes(),
                ElementsAre(source.first == 5 ? v1::OUTCOME_SOURCE_OUTSIDE
                                              : v1::OUTCOME_SOURCE_IMPASSABLE));
    EXPECT_THAT(answer.header.warnings(), testing::Contains(HasSubstr("none of the 1 sources")));
  }
}

TEST_F(CostFieldTest, NodataMayBeGivenAFriction) {
  ASSERT_THAT(Put(server_->client(), "s", Surface({{1, kNaN, 1, -9, 1, 7, 1}})), IsOk());
  v1::ComputeCostFieldRequest request = Request({{0, 0}});
  request.mutable_recipe()->add_nodata(-9);
  request.mutable_recipe()->set_nodata_friction(3);
  request.mutable_recipe()->add_barrier_values(7);
  ASSERT_OK_AND_ASSIGN(const FieldAnswer answer, Field(server_->client(), request));
  EXPECT_EQ(answer.costs[1], 2);
  EXPECT_EQ(answer.costs[3], 6);
  EXPECT_EQ(answer.costs[4], 8);
  EXPECT_TRUE(std::isnan(answer.costs[5]));
  EXPECT_EQ(answer.costs[6], kInf);
}

TEST_F(CostFieldTest, LongSearchesReportProgress) {
  ASSERT_THAT(Put(server_->client(), "s",
                  RandomSurface({4000, 4000}, ValueType::kUint8, Temper::kUniform, 2)),
              IsOk());
  client::AnswerHandlers handlers;
  uint64_t settled = 0;
  int reports = 0;
  handlers.on_progress = [&](const v1::Progress& progress) {
    EXPECT_GE(progress.settled_cells(), settled);
    settled = progress.settled_cells();
    ++reports;
  };
  const auto summary = server_->client().ComputeCostField(Request({{0, 0}}), handlers);
  ASSERT_THAT(summary, IsOk());
  EXPECT_GT(reports, 0);
  EXPECT_GT(settled, 0u);
}

}  // namespace
}  // namespace talweg::test
