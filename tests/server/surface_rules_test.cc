#include "talweg/store/surface_rules.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "talweg/test/status_matchers.h"

namespace talweg::store {
namespace {

using test::HasField;
using test::HasReason;
using test::IsOk;
using testing::AllOf;

const std::vector<std::string>& BadIds() {
  static const std::vector<std::string> ids = {"",
                                               "-",
                                               "-a",
                                               "a-",
                                               "A",
                                               "a_b",
                                               "a.b",
                                               "..",
                                               "../etc/passwd",
                                               "a/b",
                                               "/a",
                                               "%2e%2e",
                                               "a b",
                                               "a@b",
                                               "a\n",
                                               std::string("a\0b", 3),
                                               "\xff\xfe",
                                               "gr\xc3\xbcn",
                                               std::string(64, 'a'),
                                               std::string(10240, 'a')};
  return ids;
}

TEST(SurfaceId, TakesWhatTheContractSays) {
  for (const std::string& id : {std::string("a"), std::string("0"), std::string("a-b"),
                                std::string("malta-dem-30m"), std::string(63, 'a')}) {
    EXPECT_THAT(ValidateSurfaceId("surface_id", id), IsOk()) << id;
  }
}

TEST(SurfaceId, RefusesPathsEscapesForeignBytesAndLongOnes) {
  for (const std::string& id : BadIds()) {
    const absl::Status status = ValidateSurfaceId("surface_id", id);
    EXPECT_THAT(status, AllOf(HasReason("INVALID_VALUE"), HasField("surface_id"))) << id;
    EXPECT_LT(status.message().size(), 400u);
  }
}

TEST(SurfaceName, ReadsBothForms) {
  ASSERT_OK_AND_ASSIGN(const SurfaceName current, ParseSurfaceName("surfaces/dem"));
  EXPECT_EQ(current.id, "dem");
  EXPECT_EQ(current.revision, "");
  ASSERT_OK_AND_ASSIGN(const SurfaceName pinned, ParseSurfaceName("surfaces/dem@0123456789abcdef"));
  EXPECT_EQ(pinned.id, "dem");
  EXPECT_EQ(pinned.revision, "0123456789abcdef");
  EXPECT_EQ(pinned.WithoutRevision(), "surfaces/dem");
}

TEST(SurfaceName, RefusesWhatIsNone) {
  std::vector<std::string> names = {"dem",
                                    "surface/dem",
                                    "surfaces",
                                    "surfaces/dem@",
                                    "surfaces/dem@0123456789ABCDEF",
                                    "surfaces/dem@0123456789abcde",
                                    "surfaces/dem@0123456789abcdef0",
                                    "surfaces/dem@0123456789abcdef@0123456789abcdef",
                                    "Surfaces/dem",
                                    " surfaces/dem"};
  for (const std::string& id : BadIds()) names.push_back("surfaces/" + id);
  for (const std::string& name : names) {
    EXPECT_THAT(ParseSurfaceName(name), AllOf(HasReason("INVALID_VALUE"), HasField("name")))
        << name;
  }
}

TEST(Description, RefusesEveryBadFieldByItsName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* reason;
    const char* field;
    std::function<void(SurfaceDescription&)> change;
  };
  const std::vector<Case> cases = {
      {"SHAPE_OUT_OF_RANGE", "rows x cols",
       [](auto& d) {
         d.shape = {0, 4};
       }},
      {"SHAPE_OUT_OF_RANGE", "rows x cols",
       [](auto& d) {
         d.shape = {4, 0};
       }},
      {"SHAPE_OUT_OF_RANGE", "rows x cols",
       [](auto& d) {
         d.shape = {-1, 4};
       }},
      {"SHAPE_OUT_OF_RANGE", "rows x cols",
       [](auto& d) {
         d.shape = {1 << 20, 1 << 20};
       }},
      {"SHAPE_OUT_OF_RANGE", "rows x cols",
       [](auto& d) {
         d.shape = {std::numeric_limits<int64_t>::max(), 2};
       }},
      {"INVALID_VALUE", "value_type", [](auto& d) { d.value_type = static_cast<ValueType>(0); }},
      {"INVALID_VALUE", "crs.kind", [](auto& d) { d.crs.kind = static_cast<CrsKind>(0); }},
      {"INVALID_VALUE", "crs.linear_unit_m", [=](auto& d) { d.crs.linear_unit_m = nan; }},
      {"INVALID_VALUE", "crs.linear_unit_m", [](auto& d) { d.crs.linear_unit_m = 0; }},
      {"INVALID_VALUE", "crs.semi_major_axis_m", [](auto& d) { d.crs.semi_major_axis_m = -1; }},
      {"INVALID_VALUE", "crs.inverse_flattening",
       [](auto& d) { d.crs.inverse_flattening = std::numeric_limits<double>::infinity(); }},
      {"LIMIT_EXCEEDED", "crs.wkt bytes", [](auto& d) { d.crs.wkt.assign(65537, 'x'); }},
      {"LIMIT_EXCEEDED", "crs.name bytes", [](auto& d) { d.crs.name.assign(2000, 'x'); }},
      {"LIMIT_EXCEEDED", "nodata", [](auto& d) { d.nodata.assign(257, 1); }},
      {"INVALID_VALUE", "negative", [](auto& d) { d.negative = static_cast<NegativePolicy>(7); }},
      {"LIMIT_EXCEEDED", "labels",
       [](auto& d) {
         for (int i = 0; i < 65; ++i) d.labels[std::to_string(i)] = "";
       }},
      {"LIMIT_EXCEEDED", "labels bytes", [](auto& d) { d.labels["a"].assign(4096, 'x'); }},
  };
  SurfaceDescription sound;
  sound.shape = {3, 4};
  ASSERT_THAT(ValidateDescription(sound), IsOk());
  for (const Case& bad : cases) {
    SurfaceDescription description = sound;
    bad.change(description);
    EXPECT_THAT(ValidateDescription(description),
                AllOf(HasReason(bad.reason), HasField(bad.field)));
  }
}

}  // namespace
}  // namespace talweg::store
