// Real rasters with real points, through the command. Skipped where the data
// folder is absent.
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <filesystem>

#include "npy_file.h"
#include "run_program.h"
#include "talweg/formats/provenance.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::Json;
using test::ProgramResult;
using ::testing::HasSubstr;

TEST(CliRealData, MaltaAndItsSprings) {
  const auto raster = test::SharedDataPath("data/movecost/malta_dtm_40.tif");
  const auto points = test::SharedDataPath("data/movecost/springs.gpkg");
  if (!raster || !points) GTEST_SKIP() << test::MissingSharedData("data/movecost");
  const test::TemporaryFolder folder;
  const ProgramResult result =
      test::Run("talweg", {"matrix", *raster, "--pois", *points, "--out", folder.File("m.csv"),
                           "--paths", folder.File("p.gpkg"), "--paths", folder.File("p.geojson"),
                           "--picture", folder.File("p.png")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  GDALAllRegister();
  GDALDatasetUniquePtr paths(GDALDataset::Open(folder.File("p.gpkg").c_str(), GDAL_OF_VECTOR));
  ASSERT_NE(paths, nullptr);
  OGRLayer* layer = paths->GetLayerByName("paths");
  ASSERT_NE(layer, nullptr);
  EXPECT_GT(layer->GetFeatureCount(), 40 * 39);
  // The islands lie at 14.2 to 14.6 degrees east, 35.8 to 36.1 north.
  const Json geojson = Json::parse(test::ReadFile(folder.File("p.geojson")));
  for (const Json& feature : geojson["features"]) {
    for (const Json& position : feature["geometry"]["coordinates"]) {
      ASSERT_GT(position[0].get<double>(), 14.1);
      ASSERT_LT(position[0].get<double>(), 14.7);
      ASSERT_GT(position[1].get<double>(), 35.7);
      ASSERT_LT(position[1].get<double>(), 36.2);
    }
  }
  EXPECT_GT(std::filesystem::file_size(folder.File("p.png")), 100'000u);
}

// Computed by scikit-image: costs from one cell over a resistance raster.
TEST(CliRealData, LinkageMapperResistances) {
  const auto raster = test::SharedDataPath("data/linkage-mapper/lp_resistances.tif");
  if (!raster) GTEST_SKIP() << test::MissingSharedData("data/linkage-mapper");
  const test::TemporaryFolder folder;
  const ProgramResult result = test::Run(
      "talweg", {"field", *raster, "--from-cell", "222,263", "--out", folder.File("f.npy")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto field = test::NpyValues<double>(folder.File("f.npy"));
  ASSERT_EQ(field.size(), 444u * 526u);
  size_t reached = 0;
  double largest = 0;
  for (const double cost : field) {
    if (!std::isfinite(cost)) continue;
    ++reached;
    largest = std::max(largest, cost);
  }
  EXPECT_EQ(reached, 169081u);
  EXPECT_NEAR(largest, 11095578.210989164, 1e-9 * 11095578);
  EXPECT_NEAR(field[50 * 526 + 50], 6791155.876291333, 1e-9 * 6791155);
  EXPECT_FALSE(std::isfinite(field[400 * 526 + 500]));
}

TEST(CliRealData, TheExampleOfAQgisPlugin) {
  const auto raster = test::SharedDataPath("data/qgis-leastcostpath/ssdem.tif");
  const auto start = test::SharedDataPath("data/qgis-leastcostpath/start.shp");
  const auto end = test::SharedDataPath("data/qgis-leastcostpath/end.shp");
  if (!raster || !start || !end) GTEST_SKIP() << test::MissingSharedData("data/qgis-leastcostpath");
  const test::TemporaryFolder folder;
  const ProgramResult result = test::Run("talweg", {"matrix", *raster, "--pois", *start, "--to",
                                                    *end, "--paths", folder.File("p.jsonl")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(",ok\n"));
  const Json path = Json::parse(test::ReadFile(folder.File("p.jsonl")));
  EXPECT_GT(path["cells"].size(), 2u);
}

TEST(CliRealData, ARotatedRasterPlacesItsPoints) {
  const auto raster = test::SharedDataPath("data/rasterio/rotated.tif");
  if (!raster) GTEST_SKIP() << test::MissingSharedData("data/rasterio/rotated.tif");
  const ProgramResult result =
      test::Run("talweg", {"route", *raster, "--from-xy", "111.16025403784438,200.66987298107782",
                           "--to-xy", "215.44228634059948,180.0480947161671", "--to-xy",
                           "337.04482671904333,169.42631645125635", "--to-xy",
                           "264.7243186433546,254.68911086754463", "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json routes = Json::parse(result.out)["routes"];
  EXPECT_EQ(routes[0]["from"]["cell"], Json({0, 0}));
  EXPECT_EQ(routes[0]["to"]["cell"], Json({7, 4}));
  EXPECT_EQ(routes[1]["to"]["cell"], Json({14, 9}));
  EXPECT_EQ(routes[2]["to"]["cell"], Json({3, 8}));
}

}  // namespace
}  // namespace talweg
