#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "talweg/grid/geotransform.h"
#include "talweg/grid/neighbourhood.h"
#include "talweg/grid/raster.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

TEST(Shape, RefusesEmptyAndOversizedRasters) {
  EXPECT_THAT(MakeShape(0, 5), HasReason("SHAPE_OUT_OF_RANGE"));
  EXPECT_THAT(MakeShape(5, 0), HasReason("SHAPE_OUT_OF_RANGE"));
  EXPECT_THAT(MakeShape(1 << 17, 1 << 16), HasReason("SHAPE_OUT_OF_RANGE"));
  // rows * cols wraps around 64 bits to something small, each way it can.
  EXPECT_THAT(MakeShape(uint64_t{1} << 32, uint64_t{1} << 32), HasReason("SHAPE_OUT_OF_RANGE"));
  EXPECT_THAT(MakeShape(UINT64_MAX, 1), HasReason("SHAPE_OUT_OF_RANGE"));
  EXPECT_THAT(MakeShape(1, UINT64_MAX - 1), HasReason("SHAPE_OUT_OF_RANGE"));
  EXPECT_THAT(MakeShape(10000, 10000), IsOk());
  EXPECT_THAT(MakeShape(1, 1), IsOk());
}

TEST(GeoTransform, PutsEdgePointsIntoTheCellThatBeginsThere) {
  ASSERT_OK_AND_ASSIGN(const GeoTransform north_up,
                       GeoTransform::Make({500000, 10, 0, 4600000, 0, -10}));
  EXPECT_EQ(north_up.CellAt({500000, 4600000}), (Cell{0, 0}));
  EXPECT_EQ(north_up.CellAt({500010, 4600000}), (Cell{0, 1}));
  EXPECT_EQ(north_up.CellAt({500009.99, 4599990.01}), (Cell{0, 0}));
  EXPECT_EQ(north_up.CellAt({500005, 4599990}), (Cell{1, 0}));
  EXPECT_EQ(north_up.CellAt({499999.9, 4600000}), (Cell{0, -1}));
  // The far edge of a raster of two columns is outside of it.
  EXPECT_FALSE(Contains({2, 2}, north_up.CellAt({500020, 4599995})));
}

TEST(GeoTransform, InvertsSouthUpRotatedAndShearedGrids) {
  const double angle = 0.3;
  for (const std::array<double, 6>& gt : {std::array<double, 6>{0, 1, 0, 0, 0, 1},
                                          {100, 5, 0, 50, 0, 5},
                                          {10, 3 * std::cos(angle), -2 * std::sin(angle), 20,
                                           3 * std::sin(angle), 2 * std::cos(angle)},
                                          {0, 2, 1, 0, 0, -3}}) {
    ASSERT_OK_AND_ASSIGN(const GeoTransform geotransform, GeoTransform::Make(gt));
    for (const Cell& cell : {Cell{0, 0}, {3, 7}, {1000, 2}, {5, 900}}) {
      EXPECT_EQ(geotransform.CellAt(geotransform.CellCentre(cell)), cell)
          << geotransform.ToString();
    }
  }
}

TEST(GeoTransform, RefusesWhatHasNoInverse) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(GeoTransform::Make({0, 0, 0, 0, 0, 1}), HasReason("SINGULAR_GEOTRANSFORM"));
  EXPECT_THAT(GeoTransform::Make({0, 1, 2, 0, 2, 4}), HasReason("SINGULAR_GEOTRANSFORM"));
  EXPECT_THAT(GeoTransform::Make({0, kNan, 0, 0, 0, 1}), HasReason("SINGULAR_GEOTRANSFORM"));
  EXPECT_THAT(GeoTransform::Make({0, 1e-9, 0, 0, 0, -1e-9}), IsOk());
}

TEST(GeoTransform, SendsPointsBeyondAllCellsOutside) {
  const GeoTransform geotransform;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(geotransform.CellAt({kInf, 0}), (Cell{-1, -1}));
  EXPECT_EQ(geotransform.CellAt({std::nan(""), 1}), (Cell{-1, -1}));
  EXPECT_EQ(geotransform.CellAt({1e300, 1}), (Cell{-1, -1}));
}

TEST(StepLengths, HaveEqualDiagonalsUnlessTheGridIsSheared) {
  const double angle = 0.7;
  ASSERT_OK_AND_ASSIGN(const GeoTransform rotated,
                       GeoTransform::Make({0, 3 * std::cos(angle), 4 * std::sin(angle), 0,
                                           3 * std::sin(angle), -4 * std::cos(angle)}));
  const StepLengths lengths = MapStepLengths(rotated);
  EXPECT_NEAR(lengths.along_cols, 3, 1e-12);
  EXPECT_NEAR(lengths.along_rows, 4, 1e-12);
  EXPECT_EQ(lengths.diagonal_se, lengths.diagonal_ne);
  EXPECT_NEAR(lengths.diagonal_se, 5, 1e-12);

  ASSERT_OK_AND_ASSIGN(const GeoTransform sheared, GeoTransform::Make({0, 2, 1, 0, 0, -1}));
  // One column is (2, 0), one row is (1, -1).
  EXPECT_NEAR(MapStepLengths(sheared).diagonal_se, std::hypot(3, -1), 1e-12);
  EXPECT_NEAR(MapStepLengths(sheared).diagonal_ne, std::hypot(1, 1), 1e-12);
}

TEST(Neighbourhood, ListsOrthogonalMovesFirst) {
  EXPECT_EQ(StepsOf(Neighbourhood::kFour).size(), 4u);
  for (const Step& step : StepsOf(Neighbourhood::kFour)) EXPECT_EQ(step.row * step.col, 0);
  EXPECT_EQ(kSteps[0].row, -1);  // N is up
  EXPECT_EQ(kSteps[1].col, 1);   // E is right
  const StepLengthTable lengths = LengthsByCode(RightAngledStepLengths(2, 1));
  EXPECT_EQ(lengths[0], 2);
  EXPECT_EQ(lengths[1], 1);
  EXPECT_EQ(lengths[4], std::sqrt(5.0));
}

TEST(Raster, AndItsViewShowTheSameCells) {
  Raster<int16_t> raster({2, 3}, int16_t{4});
  raster.view()(1, 2) = 9;
  EXPECT_EQ(raster(1, 2), 9);
  EXPECT_EQ(raster.view()[5], 9);
  EXPECT_EQ(raster.AsXtensor()(1, 2), 9);
  EXPECT_EQ(raster.view().AsXtensor()(1, 2), 9);
  EXPECT_EQ(raster.shape(), (Shape{2, 3}));
}

}  // namespace
}  // namespace talweg::test
