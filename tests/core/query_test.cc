// Outcomes and stop rules of the queries, on surfaces drawn in the test.
#include <gtest/gtest.h>

#include <cmath>

#include "talweg/query/cost_field.h"
#include "talweg/query/one_to_many.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

CostSurface Grid(std::initializer_list<std::initializer_list<double>> rows) {
  Raster<double> cells(
      {static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows.begin()->size())});
  CellIndex i = 0;
  for (const auto& row : rows) {
    for (const double value : row) cells.view()[i++] = value;
  }
  return CostSurface(std::move(cells));
}

OneToManyAnswer Ask(const CostSurface& surface, const OneToManyRequest& request,
                    const EngineRecipe& recipe = {}) {
  SearchWorkspace workspace;
  SearchControl control;
  auto answer = RunOneToMany(surface.view(), recipe, request, workspace, control);
  EXPECT_THAT(answer, IsOk());
  return *std::move(answer);
}

struct Field {
  CostFieldSummary summary;
  Raster<double> costs;
  Raster<StepCode> back_links;
  Raster<int32_t> allocation;
};

Field FieldOf(const CostSurface& surface, const SearchRequest& request,
              const EngineRecipe& recipe = {}) {
  const Shape shape = surface.view().shape();
  Field field{{}, Raster<double>(shape), Raster<StepCode>(shape), Raster<int32_t>(shape)};
  SearchWorkspace workspace;
  SearchControl control;
  auto summary = RunCostField(surface.view(), recipe, request,
                              {.costs = field.costs.view(),
                               .back_links = field.back_links.view(),
                               .allocation = field.allocation.view()},
                              workspace, control);
  EXPECT_THAT(summary, IsOk());
  field.summary = *std::move(summary);
  return field;
}

// Two rooms behind a wall: cells 0-1 and 3-4 of one row.
const CostSurface& Rooms() {
  static const CostSurface surface = Grid({{1, 1, -1, 1, 1}});
  return surface;
}

TEST(OneToMany, GivesEachDestinationItsOutcome) {
  const OneToManyAnswer answer =
      Ask(Rooms(), {.source = {.cell = 0}, .destinations = {1, 2, 3, 0}});
  EXPECT_EQ(answer.pairs[0].outcome, Outcome::kOk);
  EXPECT_EQ(answer.pairs[0].cost, 1);
  EXPECT_EQ(answer.pairs[1].outcome, Outcome::kDestinationImpassable);
  EXPECT_EQ(answer.pairs[2].outcome, Outcome::kUnreachable);
  EXPECT_TRUE(std::isnan(answer.pairs[2].cost));
  EXPECT_EQ(answer.pairs[3].outcome, Outcome::kOk);
  EXPECT_EQ(answer.pairs[3].cost, 0);
}

TEST(OneToMany, FromAnImpassableSourceReachesNothing) {
  const OneToManyAnswer answer = Ask(Rooms(), {.source = {.cell = 2}, .destinations = {0, 2}});
  for (const PairAnswer& pair : answer.pairs) EXPECT_EQ(pair.outcome, Outcome::kSourceImpassable);
}

TEST(OneToMany, AnswersDuplicateDestinationsEach) {
  const OneToManyAnswer answer =
      Ask(Rooms(), {.source = {.cell = 0}, .destinations = {1, 1}, .paths = Paths::kInclude});
  EXPECT_EQ(answer.pairs[0].cost, answer.pairs[1].cost);
  EXPECT_EQ(answer.pairs[0].path, answer.pairs[1].path);
}

TEST(OneToMany, TakesMaxCostAsInclusive) {
  const CostSurface line = Grid({{1, 1, 1, 1}});
  EngineRecipe recipe;
  recipe.max_cost = 2;
  const OneToManyAnswer answer = Ask(line, {.source = {.cell = 0}, .destinations = {2, 3}}, recipe);
  EXPECT_EQ(answer.pairs[0].outcome, Outcome::kOk);
  EXPECT_EQ(answer.pairs[1].outcome, Outcome::kBeyondMaxCost);
  recipe.max_cost = 0.5;  // half of a step: a limit, not "unlimited"
  EXPECT_EQ(Ask(line, {.source = {.cell = 0}, .destinations = {1}}, recipe).pairs[0].outcome,
            Outcome::kBeyondMaxCost);
}

TEST(OneToMany, CallsAnIslandUnreachableWhenMaxCostCutNothing) {
  EngineRecipe recipe;
  recipe.max_cost = 100;
  EXPECT_EQ(Ask(Rooms(), {.source = {.cell = 0}, .destinations = {4}}, recipe).pairs[0].outcome,
            Outcome::kUnreachable);
}

TEST(OneToMany, StopsEarly) {
  const CostSurface large(Raster<uint8_t>({500, 500}, uint8_t{1}));
  const OneToManyAnswer answer =
      Ask(large, {.source = {.cell = 250 * 500 + 250}, .destinations = {250 * 500 + 255}});
  EXPECT_EQ(answer.pairs[0].cost, 5);
  EXPECT_LT(answer.settled_cells, 1000u);
}

TEST(CostField, MarksUnreachedImpassableAndSource) {
  const Field field = FieldOf(Rooms(), {.sources = {{.cell = 1, .number = 5}}, .destinations = {}});
  EXPECT_EQ(field.costs(0, 0), 1);
  EXPECT_TRUE(std::isnan(field.costs(0, 2)));
  EXPECT_EQ(field.costs(0, 3), kInf);
  EXPECT_EQ(field.back_links(0, 1), kBackLinkSource);
  EXPECT_EQ(field.back_links(0, 0), 3);  // entered by a move to the west
  EXPECT_EQ(field.back_links(0, 2), kBackLinkImpassable);
  EXPECT_EQ(field.back_links(0, 3), kBackLinkNotReached);
  EXPECT_EQ(field.allocation(0, 0), 5);
  EXPECT_EQ(field.allocation(0, 3), -1);
  EXPECT_EQ(field.summary.reached_cells, 2u);
  EXPECT_EQ(field.summary.stop_cause, StopCause::kComplete);
}

TEST(CostField, WithNothingButImpassableSourcesReachesNothing) {
  const Field field = FieldOf(Rooms(), {.sources = {{.cell = 2}}, .destinations = {}});
  EXPECT_EQ(field.summary.reached_cells, 0u);
  EXPECT_EQ(field.costs(0, 0), kInf);
}

TEST(CostField, ThatStopsForDestinationsHoldsWhatCostsNoMore) {
  const CostSurface line = Grid({{1, 1, 1, 1, 1, 1, 1}});
  const Field field = FieldOf(line, {.sources = {{.cell = 3}}, .destinations = {4, 1}});
  EXPECT_EQ(field.summary.stop_cause, StopCause::kDestinationsSettled);
  EXPECT_EQ(field.costs(0, 5), 2);  // as dear as the dearest destination
  EXPECT_EQ(field.costs(0, 6), kInf);
  EXPECT_EQ(field.costs(0, 0), kInf);
  EXPECT_EQ(field.back_links(0, 0), kBackLinkNotReached);
  EXPECT_EQ(field.summary.destinations[1].cost, 2);
}

TEST(CostField, ReportsMaxCostOnlyWhenItCutSomething) {
  const CostSurface line = Grid({{1, 1, 1}});
  EngineRecipe recipe;
  recipe.max_cost = 2;
  EXPECT_EQ(
      FieldOf(line, {.sources = {{.cell = 0}}, .destinations = {}}, recipe).summary.stop_cause,
      StopCause::kComplete);
  recipe.max_cost = 1.5;
  const Field cut = FieldOf(line, {.sources = {{.cell = 0}}, .destinations = {}}, recipe);
  EXPECT_EQ(cut.summary.stop_cause, StopCause::kMaxCost);
  EXPECT_EQ(cut.costs(0, 2), kInf);
}

TEST(CostField, AllocatesBySourceWithStartCosts) {
  const CostSurface line = Grid({{1, 1, 1, 1, 1}});
  // The source at 4 starts at 3: cell 2 is 2 from the left, 5 from the right.
  const Field field = FieldOf(
      line, {.sources = {{.cell = 0, .number = 0}, {.cell = 4, .start_cost = 3, .number = 1}},
             .destinations = {}});
  EXPECT_EQ(field.allocation(0, 3), 0);
  EXPECT_EQ(field.allocation(0, 4), 1);
  EXPECT_EQ(field.costs(0, 4), 3);
}

TEST(CostField, PassesThroughASourceThatAnotherReachesForLess) {
  const CostSurface line = Grid({{1, 1, 1}});
  const auto field_with_start = [&](double start_cost) {
    return FieldOf(line, {.sources = {{.cell = 0, .number = 0},
                                      {.cell = 1, .start_cost = start_cost, .number = 1}},
                          .destinations = {}});
  };
  const Field passed = field_with_start(1.5);
  EXPECT_EQ(passed.allocation(0, 1), 0);
  EXPECT_EQ(passed.back_links(0, 1), 1);
  const Field kept = field_with_start(1);  // reached at exactly its own start cost
  EXPECT_EQ(kept.allocation(0, 1), 1);
  EXPECT_EQ(kept.back_links(0, 1), kBackLinkSource);
  EXPECT_EQ(kept.allocation(0, 2), 1);
}

TEST(CostField, GivesACellWithSeveralSourcesToTheFirst) {
  const Field field = FieldOf(
      Rooms(),
      {.sources = {{.cell = 0, .number = 8}, {.cell = 0, .number = 9}}, .destinations = {}});
  EXPECT_EQ(field.allocation(0, 1), 8);
}

TEST(CostField, CrossesAPlateauByTheFewestStepsFromItsEntry) {
  // Free cells in a ring; entered at the left, both ways round cost nothing.
  const Field field = FieldOf(Grid({{1, 0, 0, 0}, {1, 0, -1, 0}, {1, 0, 0, 0}}),
                              {.sources = {{.cell = 4}}, .destinations = {}});
  EXPECT_EQ(field.costs(1, 3), 0.5);
  // (1,1) is entered from the source; (0,2) and (2,2) by diagonals from it.
  EXPECT_EQ(field.back_links(1, 1), 1);
  EXPECT_EQ(field.back_links(0, 2), 4);
  EXPECT_EQ(field.back_links(2, 2), 5);
  // (1,3) is next to both: the printed order prefers the move SE (5) to NE (4)?
  // NE (4) comes first: from (2,2).
  EXPECT_EQ(field.back_links(1, 3), 4);
}

TEST(CostField, SumsPastTheLargestNumberAreUnreachable) {
  const Field field =
      FieldOf(Grid({{1.7e308, 1.7e308, 1}}), {.sources = {{.cell = 0}}, .destinations = {}});
  EXPECT_EQ(field.costs(0, 1), kInf);
  EXPECT_EQ(field.summary.reached_cells, 1u);
}

TEST(Engine, RefusesARecipeItCannotBuildFrom) {
  SearchWorkspace workspace;
  EngineRecipe recipe;
  recipe.lengths.along_cols = 0;
  EXPECT_THAT(Engine::Build(Rooms().view(), recipe, workspace), HasField("lengths"));
  recipe = {};
  recipe.max_cost = std::nan("");
  EXPECT_THAT(Engine::Build(Rooms().view(), recipe, workspace), HasField("max_cost"));
}

TEST(Engine, RefusesCellsOffTheSurfaceAndBadStartCosts) {
  SearchWorkspace workspace;
  SearchControl control;
  ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(Rooms().view(), {}, workspace));
  EXPECT_THAT(engine->Run({.sources = {}, .destinations = {}}, control), HasReason("EMPTY_LIST"));
  EXPECT_THAT(engine->Run({.sources = {{.cell = 5}}, .destinations = {}}, control),
              HasField("source_cell"));
  EXPECT_THAT(engine->Run({.sources = {{.cell = 0}}, .destinations = {-1}}, control),
              HasField("destination_cell"));
  EXPECT_THAT(
      engine->Run({.sources = {{.cell = 0, .start_cost = -1}}, .destinations = {}}, control),
      HasField("start_cost"));
}

}  // namespace
}  // namespace talweg::test
