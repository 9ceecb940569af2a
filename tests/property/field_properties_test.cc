// What is true of every cost field, written as sentences.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>

#include "talweg/query/cost_field.h"
#include "talweg/query/one_to_many.h"
#include "talweg/search/engine.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

constexpr Shape kShape{60, 75};

class FieldProperties : public testing::TestWithParam<int> {
 protected:
  FieldProperties()
      : surface_(RandomSurface(kShape, ValueType::kFloat64, static_cast<Temper>(GetParam() % 4),
                               BaseSeed() + static_cast<uint64_t>(GetParam()))),
        random_(BaseSeed() + static_cast<uint64_t>(GetParam())) {}

  CellIndex RandomCell() {
    return std::uniform_int_distribution<CellIndex>(0, kShape.cells() - 1)(random_);
  }
  PairAnswer Route(CellIndex from, CellIndex to, const EngineRecipe& recipe = {}) {
    SearchControl control;
    const auto answer =
        RunOneToMany(surface_.view(), recipe,
                     {.source = {.cell = from}, .destinations = {to}, .paths = Paths::kInclude},
                     workspace_, control);
    EXPECT_THAT(answer, IsOk());
    return answer->pairs[0];
  }

  CostSurface surface_;
  std::mt19937_64 random_;
  SearchWorkspace workspace_;
};

TEST_P(FieldProperties, ThereAndBackCostTheSameUpToRounding) {
  for (int i = 0; i < 10; ++i) {
    const CellIndex a = RandomCell();
    const CellIndex b = RandomCell();
    const PairAnswer there = Route(a, b);
    const PairAnswer back = Route(b, a);
    if (there.outcome != Outcome::kOk) {
      EXPECT_NE(back.outcome, Outcome::kOk);
      continue;
    }
    EXPECT_NEAR(there.cost, back.cost, 1e-12 * there.cost);
  }
}

TEST_P(FieldProperties, ADetourIsNeverCheaper) {
  for (int i = 0; i < 10; ++i) {
    const CellIndex a = RandomCell();
    const CellIndex b = RandomCell();
    const CellIndex via = RandomCell();
    const PairAnswer direct = Route(a, b);
    const PairAnswer first = Route(a, via);
    const PairAnswer second = Route(via, b);
    if (first.outcome != Outcome::kOk || second.outcome != Outcome::kOk) continue;
    EXPECT_LE(direct.cost, (first.cost + second.cost) * (1 + 1e-12));
  }
}

TEST_P(FieldProperties, AMoreDearSurfaceIsNeverCheaperToCross) {
  Raster<double> dearer(kShape);
  for (CellIndex i = 0; i < kShape.cells(); ++i) {
    dearer.view()[i] = surface_.view().cells<double>()[i] * 1.25;
  }
  const CostSurface dear(std::move(dearer), surface_.description());
  SearchControl control;
  for (int i = 0; i < 10; ++i) {
    const CellIndex a = RandomCell();
    const CellIndex b = RandomCell();
    const PairAnswer cheap = Route(a, b);
    const auto answer = RunOneToMany(dear.view(), {}, {.source = {.cell = a}, .destinations = {b}},
                                     workspace_, control);
    ASSERT_THAT(answer, IsOk());
    if (cheap.outcome != Outcome::kOk || answer->pairs[0].outcome != Outcome::kOk) continue;
    EXPECT_GE(answer->pairs[0].cost, cheap.cost);
  }
}

TEST_P(FieldProperties, ThePathAddsUpToTheCost) {
  const FrictionRule rule = surface_.view().WithOwnNodata({});
  const StepLengthTable lengths = LengthsByCode({});
  for (int i = 0; i < 20; ++i) {
    const PairAnswer route = Route(RandomCell(), RandomCell());
    if (route.outcome != Outcome::kOk) continue;
    ASSERT_OK_AND_ASSIGN(const std::vector<Cell> cells, PathCells(route.path, kShape));
    double cost = 0;
    double length = 0;
    for (size_t k = 1; k < cells.size(); ++k) {
      const double step = lengths[static_cast<size_t>(route.path.steps[k - 1])];
      cost += (step / 2) * (surface_.view().FrictionAt(cells[k - 1], rule) +
                            surface_.view().FrictionAt(cells[k], rule));
      length += step;
    }
    EXPECT_EQ(cost, route.cost);
    EXPECT_EQ(length, route.length);
  }
}

TEST_P(FieldProperties, AnEarlyStopAnswersLikeTheFullField) {
  SearchControl control;
  const CellIndex source = RandomCell();
  Raster<double> costs(kShape);
  ASSERT_THAT(RunCostField(surface_.view(), {}, {.sources = {{.cell = source}}, .destinations = {}},
                           {.costs = costs.view()}, workspace_, control),
              IsOk());
  for (int i = 0; i < 20; ++i) {
    const CellIndex destination = RandomCell();
    const PairAnswer route = Route(source, destination);
    if (costs.view()[destination] < kNoMaxCost)
      EXPECT_EQ(route.cost, costs.view()[destination]);
    else
      EXPECT_NE(route.outcome, Outcome::kOk);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FieldProperties, testing::Range(0, 12));

TEST(Search, StopsWhenCancelled) {
  const Shape shape{1500, 1500};
  const CostSurface surface =
      RandomSurface(shape, ValueType::kFloat64, Temper::kUniform, BaseSeed());
  SearchWorkspace workspace;
  ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface.view(), {}, workspace));
  SearchControl control;
  std::thread canceller([&] {
    while (control.progress().settled_cells.load() == 0) std::this_thread::yield();
    control.Cancel();
  });
  const auto summary = engine->Run({.sources = {{.cell = 0}}, .destinations = {}}, control);
  canceller.join();
  EXPECT_THAT(summary, HasReason("CANCELLED"));
  EXPECT_LT(control.progress().settled_cells.load(), 1'500'000u);
}

TEST(Search, StopsAtItsDeadline) {
  const CostSurface surface(Raster<uint8_t>({50, 50}, uint8_t{1}));
  SearchWorkspace workspace;
  ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface.view(), {}, workspace));
  SearchControl control(std::chrono::steady_clock::now() - std::chrono::seconds(1));
  EXPECT_THAT(engine->Run({.sources = {{.cell = 0}}, .destinations = {}}, control),
              HasReason("DEADLINE_EXCEEDED"));
}

TEST(Search, RefusesAnAnswerOfMoreCellsThanAllowed) {
  for (const Temper temper : {Temper::kUniform, Temper::kPlateaux, Temper::kNearZero}) {
    const CostSurface surface = RandomSurface({80, 80}, ValueType::kFloat64, temper, BaseSeed());
    SearchWorkspace workspace;
    for (const auto& [max_cells, fits] : {std::pair{6400u, true}, {6399u, false}, {1u, false}}) {
      EngineRecipe recipe;
      recipe.max_cells = max_cells;
      ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface.view(), recipe, workspace));
      SearchControl control;
      const auto summary = engine->Run({.sources = {{.cell = 0}}, .destinations = {}}, control);
      if (fits)
        EXPECT_THAT(summary, IsOk());
      else
        EXPECT_THAT(summary, HasReason("CELL_LIMIT"));
    }
  }
}

}  // namespace
}  // namespace talweg::test
