// Pure converters: what protos say becomes what the layers below take.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "requests.h"
#include "talweg/service/converters/field.h"
#include "talweg/service/converters/pairs.h"
#include "talweg/service/converters/points.h"
#include "talweg/service/converters/recipe.h"
#include "talweg/service/converters/surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::service {
namespace {

using test::HasField;
using test::HasReason;
using test::IsOk;
using test::RecipeOn;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

SurfaceDescription Described(CrsKind kind) {
  SurfaceDescription description;
  description.shape = {5, 6};
  description.geotransform = *GeoTransform::Make({100, 2, 0, 200, 0, -3});
  description.crs.kind = kind;
  description.crs.name = "a CRS";
  return description;
}

absl::StatusOr<ResolvedRecipe> Resolve(const v1::Recipe& recipe, CrsKind kind) {
  return RecipeFromProto(recipe, Described(kind), "surfaces/a@0123456789abcdef", {});
}

TEST(RecipeConverter, FillsInEveryDefault) {
  ASSERT_OK_AND_ASSIGN(const ResolvedRecipe resolved,
                       Resolve(RecipeOn("surfaces/a"), CrsKind::kNone));
  const v1::Recipe& echo = resolved.echo;
  ASSERT_EQ(echo.surfaces_size(), 1);
  EXPECT_EQ(echo.surfaces(0).role(), v1::SURFACE_ROLE_FRICTION);
  EXPECT_EQ(echo.surfaces(0).surface(), "surfaces/a@0123456789abcdef");
  EXPECT_TRUE(echo.has_mean());
  EXPECT_EQ(echo.neighbourhood(), v1::NEIGHBOURHOOD_8);
  EXPECT_EQ(echo.corners(), v1::CORNERS_ALLOW);
  EXPECT_EQ(echo.units(), v1::LENGTH_UNIT_CELLS);
  EXPECT_EQ(echo.direction(), v1::DIRECTION_FROM_SOURCES);
  EXPECT_EQ(resolved.engine.max_cost, kNoMaxCost);
  EXPECT_EQ(resolved.engine.max_cells, kNoMaxCells);
  EXPECT_EQ(resolved.engine.lengths, RightAngledStepLengths(1, 1));
}

TEST(RecipeConverter, TheEchoResolvesToTheSameEngine) {
  v1::Recipe recipe = RecipeOn("surfaces/a");
  recipe.mutable_entry();
  recipe.set_neighbourhood(v1::NEIGHBOURHOOD_4);
  recipe.mutable_sampling()->set_dy(2);
  recipe.mutable_sampling()->set_dx(3);
  recipe.mutable_limits()->set_max_cost(7);
  recipe.mutable_snap()->set_radius_cells(4);
  recipe.add_nodata(9);
  recipe.set_nodata_friction(5);
  recipe.add_barrier_values(8);
  ASSERT_OK_AND_ASSIGN(const ResolvedRecipe once, Resolve(recipe, CrsKind::kGeographic));
  ASSERT_OK_AND_ASSIGN(const ResolvedRecipe twice, Resolve(once.echo, CrsKind::kGeographic));
  EXPECT_EQ(once.echo.SerializeAsString(), twice.echo.SerializeAsString());
  EXPECT_EQ(twice.engine.step_model, StepModel::kEntry);
  EXPECT_EQ(twice.engine.neighbourhood, Neighbourhood::kFour);
  EXPECT_EQ(twice.engine.lengths, RightAngledStepLengths(2, 3));
  EXPECT_EQ(twice.engine.max_cost, 7);
  EXPECT_EQ(twice.engine.friction.nodata, std::vector<double>{9});
  EXPECT_EQ(twice.engine.friction.barrier_values, std::vector<double>{8});
  EXPECT_EQ(twice.engine.friction.nodata_friction, 5);
  EXPECT_EQ(twice.snap.rows, 4);
}

TEST(RecipeConverter, UnitsFollowTheCrs) {
  for (const CrsKind kind : {CrsKind::kProjected, CrsKind::kLocal}) {
    ASSERT_OK_AND_ASSIGN(const ResolvedRecipe resolved, Resolve(RecipeOn("surfaces/a"), kind));
    EXPECT_EQ(resolved.echo.units(), v1::LENGTH_UNIT_MAP);
    EXPECT_EQ(resolved.engine.lengths, RightAngledStepLengths(3, 2));
  }
  v1::Recipe recipe = RecipeOn("surfaces/a");
  EXPECT_THAT(Resolve(recipe, CrsKind::kGeographic), HasReason("GEOGRAPHIC_UNITS"));
  EXPECT_THAT(Resolve(recipe, CrsKind::kGeographic), HasField("recipe.units"));
  recipe.set_units(v1::LENGTH_UNIT_MAP);
  EXPECT_THAT(Resolve(recipe, CrsKind::kGeographic), HasReason("GEOGRAPHIC_UNITS"));
  EXPECT_THAT(Resolve(recipe, CrsKind::kNone), IsOk());
  recipe.set_units(v1::LENGTH_UNIT_CELLS);
  EXPECT_THAT(Resolve(recipe, CrsKind::kGeographic), IsOk());
  recipe.set_units(v1::LENGTH_UNIT_MAP);
  recipe.mutable_sampling()->set_dy(1);
  recipe.mutable_sampling()->set_dx(1);
  EXPECT_THAT(Resolve(recipe, CrsKind::kProjected), HasField("recipe.units"));
}

TEST(RecipeConverter, SnapInMetresIsWiderInCellsWhereCellsAreSmall) {
  v1::Recipe recipe = RecipeOn("surfaces/a");
  recipe.mutable_snap()->set_radius_m(6);
  ASSERT_OK_AND_ASSIGN(const ResolvedRecipe resolved, Resolve(recipe, CrsKind::kProjected));
  EXPECT_DOUBLE_EQ(resolved.snap.rows, 2);
  EXPECT_DOUBLE_EQ(resolved.snap.cols, 3);
  EXPECT_THAT(Resolve(recipe, CrsKind::kNone), HasField("recipe.snap.radius_m"));
}

TEST(RecipeConverter, LengthsThatLeaveFloat64AreRefused) {
  for (const double size : {1e200, 1e-200}) {
    v1::Recipe recipe = RecipeOn("surfaces/a");
    recipe.mutable_sampling()->set_dy(size);
    recipe.mutable_sampling()->set_dx(size);
    EXPECT_THAT(Resolve(recipe, CrsKind::kNone), HasField("recipe.sampling"));
  }
}

TEST(RecipeConverter, NaNIsNodataButNoBarrier) {
  v1::Recipe recipe = RecipeOn("surfaces/a");
  recipe.add_nodata(kNaN);
  EXPECT_THAT(Resolve(recipe, CrsKind::kNone), IsOk());
  recipe.add_barrier_values(1);
  recipe.add_barrier_values(kNaN);
  EXPECT_THAT(Resolve(recipe, CrsKind::kNone), HasField("recipe.barrier_values[1]"));
}

TEST(SurfaceConverter, ADescriptionComesBackAsItWas) {
  v1::SurfaceDescription proto;
  proto.set_value_type(v1::VALUE_TYPE_INT16);
  proto.set_rows(3);
  proto.set_cols(4);
  for (const double number : {10.0, 2.0, 0.5, 20.0, -0.25, -3.0}) proto.add_geotransform(number);
  proto.mutable_crs()->set_kind(v1::CRS_KIND_PROJECTED);
  proto.mutable_crs()->set_wkt("PROJCRS[...]");
  proto.mutable_crs()->set_name("name");
  proto.mutable_crs()->set_linear_unit_m(0.3048);
  proto.mutable_crs()->set_semi_major_axis_m(6378137);
  proto.mutable_crs()->set_inverse_flattening(298.257);
  proto.add_nodata(-9999);
  proto.set_negative(v1::NEGATIVE_POLICY_ERROR);
  (*proto.mutable_labels())["source"] = "survey";
  ASSERT_OK_AND_ASSIGN(const SurfaceDescription description,
                       SurfaceDescriptionFromProto(proto, {}));
  EXPECT_EQ(SurfaceDescriptionToProto(description).SerializeAsString(), proto.SerializeAsString());
}

TEST(SurfaceConverter, DefaultsAreCellUnitsWithoutCrs) {
  v1::SurfaceDescription proto;
  proto.set_value_type(v1::VALUE_TYPE_UINT8);
  proto.set_rows(1);
  proto.set_cols(1);
  ASSERT_OK_AND_ASSIGN(const SurfaceDescription description,
                       SurfaceDescriptionFromProto(proto, {}));
  EXPECT_EQ(description.geotransform, GeoTransform());
  EXPECT_EQ(description.crs.kind, CrsKind::kNone);
  EXPECT_EQ(description.crs.linear_unit_m, 1);
  EXPECT_EQ(description.negative, NegativePolicy::kBarrier);
}

TEST(PointConverter, AFailureNamesThePoint) {
  v1::PointList list = test::Cells({{0, 0}, {1, 1}});
  list.mutable_points(1)->set_start_cost(-1);
  EXPECT_THAT(PointsFromProto(list, "sources", {}), HasField("sources.points[1].start_cost"));
  list.mutable_points(1)->set_start_cost(0);
  list.mutable_points(1)->clear_position();
  EXPECT_THAT(PointsFromProto(list, "sources", {}), HasField("sources.points[1].position"));
  list.mutable_points(1)->mutable_xy()->set_y(kNaN);
  EXPECT_THAT(PointsFromProto(list, "sources", {}), HasField("sources.points[1].xy.y"));
  list.mutable_points(1)->set_id(std::string(257, 'x'));
  EXPECT_THAT(PointsFromProto(list, "sources", {}), HasField("sources.points[1].id"));
}

TEST(PointConverter, APointOutsideReportsWhatItWasGiven) {
  v1::Point point;
  point.set_id("far");
  point.mutable_xy()->set_x(1e6);
  ResolvedPoint outside;
  const v1::PointReport report = PointReportToProto(point, outside, GeoTransform());
  EXPECT_EQ(report.outcome(), v1::POINT_OUTCOME_OUTSIDE);
  EXPECT_EQ(report.xy().x(), 1e6);
  EXPECT_FALSE(report.has_cell());
}

TEST(PairConverter, NoPairsMeansAllRowByRow) {
  v1::FindRoutesRequest request;
  *request.mutable_sources() = test::Cells({{0, 0}, {1, 1}});
  *request.mutable_destinations() = test::Cells({{0, 0}, {1, 1}, {2, 2}});
  ASSERT_OK_AND_ASSIGN(const std::vector<PairIndex> pairs, PairsFromProto(request, {}));
  ASSERT_EQ(pairs.size(), 6u);
  EXPECT_EQ(pairs[1], (PairIndex{0, 1}));
  EXPECT_EQ(pairs[3], (PairIndex{1, 0}));
}

TEST(PairConverter, TheProductIsLimitedThoughEachFactorIsNot) {
  EXPECT_THAT(CheckPairProduct(100'000, 100'000, "max_pairs", 10'000'000),
              HasReason("LIMIT_EXCEEDED"));
  EXPECT_THAT(CheckPairProduct(uint64_t{1} << 40, uint64_t{1} << 40, "max_pairs", 10'000'000),
              HasField("max_pairs"));
  EXPECT_THAT(CheckPairProduct(1000, 10'000, "max_pairs", 10'000'000), IsOk());
}

TEST(FieldConverter, BlocksOfAllPartsStayBelowOneMebibyte) {
  const std::vector<double> costs(200'000, 1.0);
  const std::vector<uint8_t> back_links(costs.size(), 254);
  const std::vector<int32_t> allocation(costs.size(), -1);
  const FieldCells all{.costs = costs, .back_links = back_links, .allocation = allocation};
  const FieldCells costs_only{.costs = costs, .back_links = {}, .allocation = {}};
  for (const FieldCells& cells : {all, costs_only}) {
    const uint64_t count = FieldBlockCells(cells);
    const v1::FieldBlock block = FieldBlockToProto(0, cells.Run(0, count));
    EXPECT_EQ(block.cell_count(), count);
    EXPECT_LE(block.ByteSizeLong(), kBlockBytes);
    EXPECT_GT(block.ByteSizeLong(), kBlockBytes - 200);
  }
}

TEST(Limits, AllAreFiniteAndNamed) {
  for (const NamedLimit& limit : ListLimits({})) {
    EXPECT_FALSE(limit.name.empty());
    EXPECT_GT(limit.maximum, 0u) << limit.name;
    EXPECT_LT(limit.maximum, uint64_t{1} << 40) << limit.name;
  }
}

}  // namespace
}  // namespace talweg::service
