#include "talweg/query/points.h"

#include <gtest/gtest.h>

#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

// . passable, # impassable
CostSurface Draw(std::initializer_list<std::string> rows, const GeoTransform& geotransform = {}) {
  const auto& first = *rows.begin();
  Raster<double> cells({static_cast<int64_t>(rows.size()), static_cast<int64_t>(first.size())});
  CellIndex i = 0;
  for (const std::string& row : rows) {
    for (const char c : row) cells.view()[i++] = c == '#' ? -1 : 1;
  }
  SurfaceDescription description;
  description.geotransform = geotransform;
  return CostSurface(std::move(cells), description);
}

TEST(ResolvePoint, TellsOutsideFromImpassable) {
  const CostSurface surface = Draw({".#", ".."});
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = Cell{0, 0}}, {}).outcome,
            PointOutcome::kOk);
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = Cell{0, 1}}, {}).outcome,
            PointOutcome::kImpassable);
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = Cell{2, 0}}, {}).outcome,
            PointOutcome::kOutside);
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = Cell{0, -1}}, {}).outcome,
            PointOutcome::kOutside);
}

TEST(ResolvePoint, GoesThroughTheGeotransform) {
  ASSERT_OK_AND_ASSIGN(const GeoTransform geotransform,
                       GeoTransform::Make({100, 10, 0, 200, 0, -10}));
  const CostSurface surface = Draw({"..", ".."}, geotransform);
  const ResolvedPoint point =
      ResolvePoint(surface.view(), {}, {.position = MapPoint{115, 185}}, {});
  EXPECT_EQ(point.outcome, PointOutcome::kOk);
  EXPECT_EQ(point.cell, (Cell{1, 1}));
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = MapPoint{120, 185}}, {}).outcome,
            PointOutcome::kOutside);
}

TEST(Snap, MovesToTheNearestPassableCellAndTakesTheFirstOfEquals) {
  const CostSurface surface = Draw({"#####", "##.##", "#.#.#", "#####"});
  // (1,2) is two rows above (3,2); (2,1) and (2,3) are nearer, at sqrt(2).
  const ResolvedPoint point =
      ResolvePoint(surface.view(), {}, {.position = Cell{3, 2}}, {.rows = 3, .cols = 3});
  EXPECT_EQ(point.outcome, PointOutcome::kOk);
  EXPECT_EQ(point.cell, (Cell{2, 1}));
  EXPECT_DOUBLE_EQ(point.moved_cells, std::sqrt(2.0));
}

TEST(Snap, LeavesAPointWhereItIsWhenNothingIsNearEnough) {
  const CostSurface surface = Draw({"#####", "####.", "#####"});
  const ResolvedPoint near =
      ResolvePoint(surface.view(), {}, {.position = Cell{1, 0}}, {.rows = 3.9, .cols = 3.9});
  EXPECT_EQ(near.outcome, PointOutcome::kImpassable);
  const ResolvedPoint far =
      ResolvePoint(surface.view(), {}, {.position = Cell{1, 0}}, {.rows = 4, .cols = 4});
  EXPECT_EQ(far.cell, (Cell{1, 4}));
}

TEST(Snap, NeverMovesAPassableOrAnOutsidePoint) {
  const CostSurface surface = Draw({"..", ".."});
  EXPECT_EQ(ResolvePoint(surface.view(), {}, {.position = Cell{1, 1}}, {.rows = 9, .cols = 9}).cell,
            (Cell{1, 1}));
  EXPECT_EQ(
      ResolvePoint(surface.view(), {}, {.position = Cell{5, 5}}, {.rows = 9, .cols = 9}).outcome,
      PointOutcome::kOutside);
}

TEST(Snap, MeasuresInTheMetricOfItsEllipse) {
  // Rows are four times as high as columns are wide.
  const CostSurface surface = Draw({"##.##", "#####", "####.", "#####", "#####"});
  const ResolvedPoint point =
      ResolvePoint(surface.view(), {}, {.position = Cell{2, 2}}, {.rows = 2, .cols = 8});
  EXPECT_EQ(point.cell, (Cell{2, 4}));
}

}  // namespace
}  // namespace talweg::test
