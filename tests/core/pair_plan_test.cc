#include <gtest/gtest.h>

#include <set>

#include "talweg/query/matrix.h"
#include "talweg/query/route.h"

namespace talweg::test {
namespace {

const Shape kShape{100, 100};

ResolvedPoint Good(int64_t row, int64_t col, double start_cost = 0) {
  return {.outcome = PointOutcome::kOk, .cell = {row, col}, .start_cost = start_cost};
}
ResolvedPoint Bad(PointOutcome outcome) { return {.outcome = outcome, .cell = {0, 0}}; }

// Every pair that a plan answers, with how often.
std::multiset<std::pair<uint32_t, uint32_t>> Answered(const PairPlan& plan) {
  std::multiset<std::pair<uint32_t, uint32_t>> pairs;
  for (const DecidedPair& decided : plan.decided) {
    pairs.insert({decided.pair.source, decided.pair.destination});
  }
  for (const PlannedSearch& search : plan.searches) {
    EXPECT_EQ(search.answers.size(), search.request.destinations.size());
    for (const auto& slot : search.answers) {
      for (const PlannedPair& planned : slot) {
        pairs.insert({planned.pair.source, planned.pair.destination});
      }
    }
  }
  return pairs;
}

TEST(PlanMatrix, SearchesOncePerSourceCellAndSettlesACellOnce) {
  const std::vector<ResolvedPoint> points = {Good(1, 1), Good(5, 5), Good(1, 1)};
  const PairPlan plan = PlanMatrix(kShape, points, points, Paths::kOmit);
  ASSERT_EQ(plan.searches.size(), 2u);
  EXPECT_EQ(plan.searches[0].request.destinations.size(), 2u);
  EXPECT_EQ(Answered(plan).size(), 9u);
  EXPECT_EQ(Answered(plan).count({2, 0}), 1u);
}

TEST(PlanMatrix, KeepsSourcesWithOtherStartCostsApart) {
  const PairPlan plan = PlanMatrix(kShape, {Good(1, 1), Good(1, 1, 5)}, {Good(2, 2)}, Paths::kOmit);
  EXPECT_EQ(plan.searches.size(), 2u);
}

TEST(PlanMatrix, DecidesPairsOfBadPointsWithoutASearch) {
  const std::vector<ResolvedPoint> points = {Good(1, 1), Bad(PointOutcome::kOutside),
                                             Bad(PointOutcome::kImpassable)};
  const PairPlan plan = PlanMatrix(kShape, points, points, Paths::kOmit);
  ASSERT_EQ(plan.searches.size(), 1u);
  EXPECT_EQ(plan.searches[0].request.destinations.size(), 1u);
  ASSERT_EQ(plan.decided.size(), 8u);
  EXPECT_EQ(plan.decided[0].outcome, Outcome::kDestinationOutside);
  EXPECT_EQ(plan.decided[1].outcome, Outcome::kDestinationImpassable);
  EXPECT_EQ(plan.decided[2].outcome, Outcome::kSourceOutside);
  EXPECT_EQ(Answered(plan).size(), 9u);
}

TEST(PlanSymmetricMatrix, SearchesEachUnorderedPairOnceFromItsCanonicalEnd) {
  const std::vector<ResolvedPoint> points = {Good(50, 50), Good(0, 99), Good(20, 30), Good(99, 99)};
  const PairPlan plan = PlanSymmetricMatrix(kShape, points, Paths::kInclude);
  EXPECT_EQ(Answered(plan).size(), 16u);
  size_t searched = 0;
  for (const PlannedSearch& search : plan.searches) {
    searched += search.request.destinations.size();
    const Cell source = ToCell(kShape, search.request.source.cell);
    for (size_t k = 0; k < search.answers.size(); ++k) {
      const Cell destination = ToCell(kShape, search.request.destinations[k]);
      const auto from_centre = [](const Cell& cell) {
        return std::max(std::abs(2 * cell.row - 99), std::abs(2 * cell.col - 99));
      };
      EXPECT_GE(from_centre(source), from_centre(destination));
    }
  }
  EXPECT_EQ(searched, 10u);  // 6 pairs and the diagonal
  // (0, 99) and (99, 99) are equally far out: the smaller flat index searches.
  EXPECT_EQ(ToCell(kShape, plan.searches[0].request.source.cell), (Cell{0, 99}));
  EXPECT_EQ(plan.searches[0].request.destinations.size(), 4u);
}

TEST(PlanRoutes, GroupsPairsBySource) {
  const PairPlan plan = PlanRoutes(kShape, {Good(1, 1), Good(2, 2)}, {Good(3, 3), Good(4, 4)},
                                   {{0, 1}, {1, 0}, {0, 0}, {0, 1}});
  ASSERT_EQ(plan.searches.size(), 2u);
  EXPECT_EQ(plan.searches[0].request.destinations.size(), 2u);
  EXPECT_EQ(Answered(plan).count({0, 1}), 2u);  // asked twice, answered twice
  EXPECT_EQ(plan.searches[0].request.paths, Paths::kInclude);
}

}  // namespace
}  // namespace talweg::test
