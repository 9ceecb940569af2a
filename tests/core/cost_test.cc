#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "talweg/cost/surface_statistics.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
CostSurface Row(std::initializer_list<T> values, SurfaceDescription description = {}) {
  Raster<T> cells({1, static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), cells.view().data());
  return CostSurface(std::move(cells), std::move(description));
}

TEST(FrictionReader, TakesZeroAsFreeAndTheRestOfTheOddOnesAsImpassable) {
  const FrictionReader<double> reader(FrictionRule{.nodata = {-9999}});
  EXPECT_EQ(reader(0.0), 0.0);
  EXPECT_FALSE(std::signbit(reader(-0.0)));
  EXPECT_EQ(reader(2.5), 2.5);
  for (const double value : {kNan, kInf, -kInf, -1.0, -9999.0, -1e-300}) {
    EXPECT_EQ(reader(value), kImpassableFriction) << value;
  }
}

TEST(FrictionReader, ComparesNodataInTheSurfacesOwnType) {
  const FrictionReader<float> narrow(FrictionRule{.nodata = {0.1}});
  EXPECT_EQ(narrow(0.1f), kImpassableFriction);
  const FrictionReader<uint8_t> bytes(FrictionRule{.nodata = {-1, 300, 2.5, 255}});
  EXPECT_EQ(bytes(255), kImpassableFriction);
  EXPECT_EQ(bytes(44), 44);  // 300 does not wrap around to it
  EXPECT_EQ(bytes(2), 2);    // 2.5 is no byte
}

TEST(FrictionReader, GivesCellsWithoutAValueTheirFriction) {
  const FrictionReader<double> reader(
      FrictionRule{.nodata = {7}, .barrier_values = {3}, .nodata_friction = 0.5});
  EXPECT_EQ(reader(7), 0.5);
  EXPECT_EQ(reader(kNan), 0.5);
  EXPECT_EQ(reader(3), kImpassableFriction);
  EXPECT_EQ(reader(-1), kImpassableFriction);
  EXPECT_EQ(reader(kInf), kImpassableFriction);
}

TEST(FrictionRule, RefusesANodataFrictionThatIsNone) {
  for (const double value : {-1.0, kNan, kInf}) {
    EXPECT_THAT(ValidateFrictionRule({.nodata_friction = value}), HasField("nodata_friction"));
  }
}

TEST(SurfaceStatistics, CountEveryClassOnce) {
  SurfaceDescription description;
  description.nodata = {7};
  const CostSurface surface =
      Row<double>({0, 1, 4, 7, kNan, -2, kInf, -kInf, 0.5, -0.0}, description);
  ASSERT_OK_AND_ASSIGN(const SurfaceStatistics statistics, ComputeStatistics(surface.view()));
  EXPECT_EQ(statistics.passable_cells, 5);
  EXPECT_EQ(statistics.zero_cells, 2);
  EXPECT_EQ(statistics.nodata_cells, 2);
  EXPECT_EQ(statistics.negative_cells, 1);
  EXPECT_EQ(statistics.infinite_cells, 2);
  EXPECT_EQ(statistics.smallest_positive_friction, 0.5);
  EXPECT_EQ(statistics.largest_friction, 4);
  EXPECT_EQ(SurfaceWarnings(statistics).size(), 1u);
}

TEST(SurfaceStatistics, NameTheFirstNegativeCellWhenThePolicyIsError) {
  SurfaceDescription description;
  description.negative = NegativePolicy::kError;
  const absl::Status status =
      ComputeStatistics(Row<int16_t>({3, 2, -5, -6}, description).view()).status();
  EXPECT_THAT(status, HasReason("NEGATIVE_FRICTION"));
  EXPECT_NE(status.message().find("row 0, column 2"), absl::string_view::npos);
}

TEST(SurfaceStatistics, WarnOfASurfaceThatCannotBeEntered) {
  ASSERT_OK_AND_ASSIGN(const SurfaceStatistics statistics,
                       ComputeStatistics(Row<float>({NAN, -1}).view()));
  EXPECT_EQ(statistics.passable_cells, 0);
  EXPECT_EQ(statistics.smallest_positive_friction, 0);
  EXPECT_EQ(SurfaceWarnings(statistics).size(), 2u);
}

TEST(ValueType, RoundTripsThroughItsCppType) {
  for (int number = 1; number <= 8; ++number) {
    const auto type = static_cast<ValueType>(number);
    VisitValueType(type, [&](auto tag) {
      EXPECT_EQ(ValueTypeOf<decltype(tag)>(), type);
      EXPECT_EQ(ValueSizeBytes(type), sizeof(tag));
    });
  }
  EXPECT_FALSE(IsValueType(0));
  EXPECT_FALSE(IsValueType(9));
}

}  // namespace
}  // namespace talweg::test
