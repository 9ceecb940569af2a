#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <functional>

#include "npy_file.h"
#include "talweg/formats/point_reader.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::PointInput;
using formats::ReadPoints;
using test::HasReason;
using test::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

v1::Crs CrsFor(const std::string& definition) {
  OGRSpatialReference reference;
  EXPECT_EQ(reference.SetFromUserInput(definition.c_str()), OGRERR_NONE);
  char* wkt = nullptr;
  reference.exportToWkt(&wkt);
  v1::Crs crs;
  crs.set_kind(reference.IsProjected() ? v1::CRS_KIND_PROJECTED : v1::CRS_KIND_GEOGRAPHIC);
  crs.set_wkt(wkt);
  crs.set_name(reference.GetName());
  CPLFree(wkt);
  return crs;
}

class PointFiles : public ::testing::Test {
 protected:
  void SetUp() override { GDALAllRegister(); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.File(name);
    test::WriteFile(path, text);
    return path;
  }
  // A GeoJSON file of features with these properties and geometries.
  std::string GeoJson(const std::vector<std::pair<std::string, std::string>>& features,
                      const std::string& crs = "") {
    std::string text = "{\"type\":\"FeatureCollection\"," + crs + "\"features\":[";
    for (size_t i = 0; i < features.size(); ++i) {
      text += (i > 0 ? "," : "") + std::string("{\"type\":\"Feature\",\"properties\":") +
              features[i].first + ",\"geometry\":" + features[i].second + "}";
    }
    return Write("points.geojson", text + "]}");
  }
  test::TemporaryFolder folder_;
};

std::vector<std::string> Ids(const PointInput& input) {
  std::vector<std::string> ids;
  for (const v1::Point& point : input.points) ids.push_back(point.id());
  return ids;
}

constexpr char kPoint12[] = "{\"type\":\"Point\",\"coordinates\":[1,2]}";
constexpr char kPoint34[] = "{\"type\":\"Point\",\"coordinates\":[3,4]}";

TEST_F(PointFiles, IdsComeFromIdElseNameElseTheFeature) {
  ASSERT_OK_AND_ASSIGN(PointInput input,
                       ReadPoints(GeoJson({{"{\"id\":7,\"name\":\"A\"}", kPoint12},
                                           {"{\"id\":9,\"name\":\"B\"}", kPoint34}}),
                                  {}));
  EXPECT_THAT(Ids(input), ElementsAre("7", "9"));
  ASSERT_OK_AND_ASSIGN(
      input,
      ReadPoints(GeoJson({{"{\"name\":\"A\"}", kPoint12}, {"{\"name\":\"B\"}", kPoint34}}), {}));
  EXPECT_THAT(Ids(input), ElementsAre("A", "B"));
  ASSERT_OK_AND_ASSIGN(input, ReadPoints(GeoJson({{"{}", kPoint12}, {"{}", kPoint34}}), {}));
  EXPECT_THAT(Ids(input), ElementsAre("0", "1"));
  ASSERT_OK_AND_ASSIGN(input, ReadPoints(GeoJson({{"{\"id\":7,\"hut\":\"A\"}", kPoint12}}), {},
                                         {.id_field = "hut"}));
  EXPECT_THAT(Ids(input), ElementsAre("A"));
  EXPECT_THAT(ReadPoints(GeoJson({{"{\"id\":7}", kPoint12}}), {}, {.id_field = "hut"}),
              HasReason("FILE_CONTENT"));
}

TEST_F(PointFiles, PartsOfAMultiPointAreNumbered) {
  ASSERT_OK_AND_ASSIGN(
      const PointInput input,
      ReadPoints(
          GeoJson({{"{\"id\":\"m\"}", "{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,4]]}"},
                   {"{\"id\":\"s\"}", "{\"type\":\"MultiPoint\",\"coordinates\":[[5,6]]}"}}),
          {}));
  EXPECT_THAT(Ids(input), ElementsAre("m.0", "m.1", "s"));
  EXPECT_EQ(input.points[1].xy().x(), 3);
  EXPECT_EQ(input.points[1].xy().y(), 4);
}

TEST_F(PointFiles, CoordinatesAreTransformedLongitudeFirst) {
  const v1::Crs utm = CrsFor("EPSG:32632");
  ASSERT_OK_AND_ASSIGN(
      PointInput input,
      ReadPoints(GeoJson({{"{}", "{\"type\":\"Point\",\"coordinates\":[9,47]}"}}), utm));
  EXPECT_NEAR(input.points[0].xy().x(), 500000, 1e-3);
  EXPECT_NEAR(input.points[0].xy().y(), 5205164.1101522, 1e-3);
  EXPECT_THAT(input.warnings, IsEmpty());

  ASSERT_OK_AND_ASSIGN(input, ReadPoints(Write("p.csv", "lat,lon\n47,9\n"), utm));
  EXPECT_NEAR(input.points[0].xy().x(), 500000, 1e-3);

  // EPSG:4326 says latitude first; files and surfaces say longitude first.
  ASSERT_OK_AND_ASSIGN(input, ReadPoints(Write("p.csv", "lat,lon\n47,9\n"), CrsFor("EPSG:4326")));
  EXPECT_EQ(input.points[0].xy().x(), 9);
  EXPECT_EQ(input.points[0].xy().y(), 47);
}

TEST_F(PointFiles, APointThatCannotBeTransformedIsOutsideAndTheOthersAreFine) {
  ASSERT_OK_AND_ASSIGN(
      const PointInput input,
      ReadPoints(Write("p.csv", "id,lon,lat\nlost,9,1e9\ngood,9,47\n"), CrsFor("EPSG:32632")));
  EXPECT_EQ(input.points[0].cell().row(), -1);
  EXPECT_NEAR(input.points[1].xy().x(), 500000, 1e-3);
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_THAT(input.warnings[0], HasSubstr("outside"));
}

TEST_F(PointFiles, LonLatNeedsASurfaceWithACrs) {
  const auto input = ReadPoints(Write("p.csv", "lon,lat\n9,47\n"), {});
  EXPECT_THAT(input, HasReason("FILE_CONTENT"));
  EXPECT_THAT(std::string(input.status().message()), HasSubstr("the surface has no CRS"));
}

TEST_F(PointFiles, ALayerWithoutACrsIsTakenAsTheSurfacesWithAWarning) {
  ASSERT_OK_AND_ASSIGN(PointInput input, ReadPoints(GeoJson({{"{}", kPoint12}}, "\"crs\":null,"),
                                                    CrsFor("EPSG:32632")));
  EXPECT_EQ(input.points[0].xy().x(), 1);
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_THAT(input.warnings[0], HasSubstr("has no CRS"));
  ASSERT_OK_AND_ASSIGN(input, ReadPoints(GeoJson({{"{}", kPoint12}}, "\"crs\":null,"), {}));
  EXPECT_THAT(input.warnings, IsEmpty());
}

TEST_F(PointFiles, WhatIsNoLayerOfPointsIsRefused) {
  EXPECT_THAT(ReadPoints(folder_.File("absent.gpkg"), {}), HasReason("FILE_UNREADABLE"));
  EXPECT_THAT(ReadPoints(folder_.File("absent.csv"), {}), HasReason("FILE_UNREADABLE"));
  EXPECT_THAT(ReadPoints(Write("text.gpkg", "hello"), {}), HasReason("FILE_UNREADABLE"));
  const auto lines =
      ReadPoints(GeoJson({{"{}", "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}"}}), {});
  EXPECT_THAT(lines, HasReason("FILE_CONTENT"));
  EXPECT_THAT(std::string(lines.status().message()), HasSubstr("Line String"));
  EXPECT_THAT(ReadPoints(GeoJson({{"{}", "null"}}), {}), HasReason("FILE_CONTENT"));
}

TEST_F(PointFiles, TheSameIdTwiceIsRefusedWithBothFeatures) {
  const auto input =
      ReadPoints(GeoJson({{"{\"id\":\"a\"}", kPoint12}, {"{\"id\":\"a\"}", kPoint34}}), {});
  EXPECT_THAT(input, HasReason("FILE_CONTENT"));
  EXPECT_THAT(std::string(input.status().message()),
              ::testing::AllOf(HasSubstr("\"a\""), HasSubstr("feature")));
}

}  // namespace
}  // namespace talweg
