// Files that nobody in this project made. Skipped where the data folder is absent.
#include <gtest/gtest.h>

#include "talweg/formats/point_reader.h"
#include "talweg/formats/raster_reader.h"
#include "talweg/formats/surface_frame.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::PointInput;
using formats::SurfaceInput;
using test::IsOk;
using ::testing::HasSubstr;

struct Opens {
  const char* file;
  v1::ValueType type;
  uint64_t rows;
  uint64_t cols;
  v1::CrsKind crs;
};

class RealRaster : public ::testing::TestWithParam<Opens> {};

TEST_P(RealRaster, IsReadAsItIs) {
  const std::string name = std::string("data/") + GetParam().file;
  const auto path = test::SharedDataPath(name);
  if (!path) GTEST_SKIP() << test::MissingSharedData(name);
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input, formats::ReadSurface(*path));
  EXPECT_EQ(input.description.value_type(), GetParam().type);
  EXPECT_EQ(input.description.rows(), GetParam().rows);
  EXPECT_EQ(input.description.cols(), GetParam().cols);
  EXPECT_EQ(input.description.crs().kind(), GetParam().crs);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RealRaster,
    ::testing::Values(
        Opens{"terra/elev.tif", v1::VALUE_TYPE_INT16, 90, 95, v1::CRS_KIND_GEOGRAPHIC},
        Opens{"terra/logo.tif", v1::VALUE_TYPE_UINT8, 77, 101, v1::CRS_KIND_LOCAL},
        Opens{"terra/test.grd", v1::VALUE_TYPE_FLOAT32, 115, 80, v1::CRS_KIND_PROJECTED},
        Opens{"gdistance/maungawhau.grd", v1::VALUE_TYPE_INT32, 87, 61, v1::CRS_KIND_PROJECTED},
        Opens{"grainscape/tiny.asc", v1::VALUE_TYPE_INT32, 100, 100, v1::CRS_KIND_NONE},
        Opens{"gridfinder/costs.tif", v1::VALUE_TYPE_FLOAT64, 520, 445, v1::CRS_KIND_GEOGRAPHIC},
        Opens{"linkage-mapper/lp_resistances.tif", v1::VALUE_TYPE_FLOAT32, 444, 526,
              v1::CRS_KIND_PROJECTED},
        Opens{"rasterio/rotated.tif", v1::VALUE_TYPE_UINT8, 15, 10, v1::CRS_KIND_NONE},
        Opens{"rasterio/alpha.tif", v1::VALUE_TYPE_UINT8, 1223, 1223, v1::CRS_KIND_PROJECTED},
        Opens{"rasterstats/dataset_mask.tif", v1::VALUE_TYPE_FLOAT32, 145, 62,
              v1::CRS_KIND_PROJECTED},
        Opens{"spData/grain.tif", v1::VALUE_TYPE_UINT8, 6, 6, v1::CRS_KIND_GEOGRAPHIC},
        Opens{"qgis-leastcostpath/ssdem.tif", v1::VALUE_TYPE_UINT32, 31, 31,
              v1::CRS_KIND_PROJECTED},
        Opens{"movecost/malta_dtm_40.tif", v1::VALUE_TYPE_FLOAT32, 535, 580,
              v1::CRS_KIND_PROJECTED}),
    [](const auto& row) {
      std::string name = row.param.file;
      for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      }
      return name;
    });

// The cells that the springs of Malta lie in, as computed by others.
TEST(RealPoints, SpringsOfMaltaLieWhereTheyShould) {
  const auto raster = test::SharedDataPath("data/movecost/malta_dtm_40.tif");
  const auto points = test::SharedDataPath("data/movecost/springs.gpkg");
  if (!raster || !points) GTEST_SKIP() << test::MissingSharedData("data/movecost");
  ASSERT_OK_AND_ASSIGN(const SurfaceInput surface, formats::ReadSurface(*raster));
  ASSERT_OK_AND_ASSIGN(const PointInput input,
                       formats::ReadPoints(*points, surface.description.crs()));
  ASSERT_OK_AND_ASSIGN(const formats::SurfaceFrame frame, formats::FrameOf(surface.description));
  ASSERT_EQ(input.points.size(), 49u);
  const std::vector<Cell> expected = {{308, 150}, {311, 145}, {353, 358},
                                      {266, 46},  {166, 283}, {341, 83}};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(input.points[i].id(), std::to_string(i + 1));
    const v1::MapPosition& xy = input.points[i].xy();
    EXPECT_EQ(frame.geotransform.CellAt({xy.x(), xy.y()}), expected[i]) << i;
  }
}

TEST(RealPoints, ALayerWithoutACrsIsTakenAsTheSurfaces) {
  const auto raster = test::SharedDataPath("data/rasterstats/slope.tif");
  const auto points = test::SharedDataPath("data/rasterstats/points_noproj.shp");
  if (!raster || !points) GTEST_SKIP() << test::MissingSharedData("data/rasterstats");
  ASSERT_OK_AND_ASSIGN(const SurfaceInput surface, formats::ReadSurface(*raster));
  ASSERT_OK_AND_ASSIGN(const PointInput input,
                       formats::ReadPoints(*points, surface.description.crs()));
  EXPECT_EQ(input.points.size(), 3u);
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_THAT(input.warnings[0], HasSubstr("has no CRS"));
}

TEST(RealRasters, AVrtWithoutItsSourceIsRefused) {
  const auto path = test::SharedDataPath("data/rasterio/compdcs.vrt");
  if (!path) GTEST_SKIP() << test::MissingSharedData("data/rasterio/compdcs.vrt");
  EXPECT_FALSE(formats::ReadSurface(*path).ok());
}

}  // namespace
}  // namespace talweg
