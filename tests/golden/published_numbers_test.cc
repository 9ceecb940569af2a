// Numbers that others published, or that follow by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "talweg/search/engine.h"
#include "talweg/search/oracle.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

using Rows = std::vector<std::vector<double>>;

CostSurface Surface(const Rows& rows) {
  const Shape shape{static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())};
  Raster<double> cells(shape);
  for (CellIndex i = 0; i < shape.cells(); ++i) {
    const Cell cell = ToCell(shape, i);
    cells.view()[i] = rows[static_cast<size_t>(cell.row)][static_cast<size_t>(cell.col)];
  }
  return CostSurface(std::move(cells));
}

// The full field from one source, by the production kernel.
Raster<double> Field(const CostSurface& surface, const Cell& source, const EngineRecipe& recipe) {
  SearchWorkspace workspace;
  const auto engine = Engine::Build(surface.view(), recipe, workspace);
  EXPECT_THAT(engine, IsOk());
  SearchControl control;
  const Shape shape = surface.view().shape();
  EXPECT_THAT(
      (*engine)->Run({.sources = {{.cell = ToIndex(shape, source)}}, .destinations = {}}, control),
      IsOk());
  Raster<double> costs(shape);
  (*engine)->WriteField({.costs = costs.view()});
  return costs;
}

EngineRecipe Recipe(StepModel model, Neighbourhood neighbourhood) {
  EngineRecipe recipe;
  recipe.step_model = model;
  recipe.neighbourhood = neighbourhood;
  return recipe;
}

TEST(PublishedNumbers, TwoByTwo) {
  const CostSurface surface = Surface({{1, 3}, {10, 12}});
  EXPECT_EQ(Field(surface, {0, 0}, Recipe(StepModel::kMean, Neighbourhood::kEight))(1, 1),
            9.19238815542512);
  EXPECT_EQ(Field(surface, {0, 0}, Recipe(StepModel::kMean, Neighbourhood::kFour))(1, 1), 9.5);
  EXPECT_EQ(Field(surface, {0, 0}, Recipe(StepModel::kEntry, Neighbourhood::kFour))(1, 1), 16);
}

TEST(PublishedNumbers, EntryCosts) {
  const Raster<double> costs =
      Field(Surface({{1, 2, 2, 2}, {2, 3, 2, 1}, {1, 3, 2, 1}, {2, 3, 2, 1}}), {3, 3},
            Recipe(StepModel::kEntry, Neighbourhood::kEight));
  const Rows expected = {{7, 6, 5, 5}, {8, 6, 4, 3}, {7, 6, 3, 2}, {8, 6, 3, 1}};
  for (int64_t row = 0; row < 4; ++row) {
    for (int64_t col = 0; col < 4; ++col) {
      EXPECT_EQ(costs(row, col), expected[static_cast<size_t>(row)][static_cast<size_t>(col)]);
    }
  }
}

TEST(PublishedNumbers, CellsTwiceAsHighAsWide) {
  EngineRecipe recipe = Recipe(StepModel::kMean, Neighbourhood::kEight);
  recipe.lengths = RightAngledStepLengths(2, 1);
  const Raster<double> costs = Field(Surface(Rows(5, std::vector<double>(6, 1))), {0, 0}, recipe);
  for (int64_t row = 0; row < 5; ++row) EXPECT_EQ(costs(row, 0), 2 * static_cast<double>(row));
  EXPECT_NEAR(costs(1, 1), 2.236067977, 5e-10);
}

// The example of the GRASS r.cost manual, without -k: accumulated costs rounded
// by adding one half and truncating.
TEST(PublishedNumbers, TheManualOfRCost) {
  const Raster<double> costs = Field(Surface({{2, 2, 1, 1, 5, 5, 5},
                                              {2, 2, 8, 8, 5, 2, 1},
                                              {7, 1, 1, 8, 2, 2, 2},
                                              {8, 7, 8, 8, 8, 8, 5},
                                              {8, 8, 1, 1, 5, 3, 9},
                                              {8, 1, 1, 2, 5, 3, 9}}),
                                     {4, 5}, Recipe(StepModel::kMean, Neighbourhood::kEight));
  const Rows printed = {{22, 21, 21, 20, 17, 15, 14}, {20, 19, 22, 20, 15, 12, 11},
                        {22, 18, 17, 18, 13, 11, 9},  {21, 14, 13, 12, 8, 6, 6},
                        {16, 13, 8, 7, 4, 0, 6},      {14, 9, 8, 9, 6, 3, 8}};
  for (int64_t row = 0; row < 6; ++row) {
    for (int64_t col = 0; col < 7; ++col) {
      EXPECT_EQ(std::floor(costs(row, col) + 0.5),
                printed[static_cast<size_t>(row)][static_cast<size_t>(col)])
          << row << ", " << col << ": " << costs(row, col);
    }
  }
}

TEST(PublishedNumbers, ElongationOfTheNeighbourhoods) {
  EXPECT_NEAR(MaxElongationPercent(Neighbourhood::kFour), (std::sqrt(2.0) - 1) * 100, 0.005);
  EXPECT_NEAR(MaxElongationPercent(Neighbourhood::kEight),
              (1 / std::cos(std::atan(1.0) / 2) - 1) * 100, 0.005);
}

}  // namespace
}  // namespace talweg::test
