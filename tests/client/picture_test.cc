#include "talweg/formats/picture.h"

#include <gdal_priv.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::OutputSet;
using formats::Picture;
using test::IsOk;

struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> bytes;
  std::array<int, 3> At(int x, int y) const {
    const auto at = static_cast<size_t>(3 * (y * width + x));
    return {bytes[at], bytes[at + 1], bytes[at + 2]};
  }
};

Image Draw(const Picture& picture) {
  const test::TemporaryFolder folder;
  const std::string path = folder.File("p.png");
  OutputSet outputs;
  EXPECT_THAT(formats::WritePicture(path, picture, {"dem", "0", {}}, outputs), IsOk());
  EXPECT_THAT(outputs.Commit(), IsOk());
  GDALAllRegister();
  GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  Image image{dataset->GetRasterXSize(), dataset->GetRasterYSize(), {}};
  image.bytes.resize(static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 3);
  EXPECT_EQ(
      dataset->RasterIO(GF_Read, 0, 0, image.width, image.height, image.bytes.data(), image.width,
                        image.height, GDT_Byte, 3, nullptr, 3, 3 * image.width, 1, nullptr),
      CE_None);
  return image;
}

Picture PictureOf(int64_t rows, int64_t cols, const std::vector<double>& values) {
  Picture picture;
  picture.title = "test";
  picture.frame.shape = {rows, cols};
  picture.cells = {ValueType::kFloat64, values.data(), {}};
  return picture;
}

TEST(PictureOfASurface, LiesAsTheSurfaceLies) {
  const std::vector<double> values = {0, 1, std::nan(""), 1};
  const Image image = Draw(PictureOf(2, 2, values));
  EXPECT_EQ(image.width, 1248);
  // The centres of the four cells, in the map that starts at (24, 52).
  EXPECT_EQ(image.At(24 + 300, 52 + 300), (std::array<int, 3>{68, 1, 84}));      // lowest
  EXPECT_EQ(image.At(24 + 900, 52 + 300), (std::array<int, 3>{253, 231, 37}));   // highest
  EXPECT_EQ(image.At(24 + 300, 52 + 900), (std::array<int, 3>{189, 189, 189}));  // impassable
  EXPECT_EQ(image.At(24 + 900, 52 + 900), (std::array<int, 3>{253, 231, 37}));
}

TEST(PictureOfASurface, PutsNorthUp) {
  const std::vector<double> values = {0, 1};
  Picture picture = PictureOf(2, 1, values);
  picture.frame.has_geotransform = true;
  picture.frame.geotransform = *GeoTransform::Make({0, 1, 0, 0, 0, 1});
  const Image image = Draw(picture);
  const int x = image.width / 2;
  EXPECT_EQ(image.At(x, 52 + 300), (std::array<int, 3>{253, 231, 37}));  // row 1 is the north
}

TEST(PictureOfASurface, DrawsPathsAndPoints) {
  const std::vector<double> values(100, 1.0);
  Picture picture = PictureOf(10, 10, values);
  picture.paths = {{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}};
  picture.points = {{{9, 9}, "end"}};
  const Image image = Draw(picture);
  EXPECT_EQ(image.At(24 + 2 * 120, 52 + 2 * 120), (std::array<int, 3>{229, 28, 35}));
  EXPECT_EQ(image.At(24 + 1140 + 3, 52 + 1140), (std::array<int, 3>{255, 255, 255}));
}

TEST(PictureOfASurface, OfEveryShapeCanBeDrawn) {
  for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {1, 5000}, {5000, 1}, {3, 7}, {2000, 1500}}) {
    const std::vector<double> values(static_cast<size_t>(rows * cols), 2.5);
    Picture picture = PictureOf(rows, cols, values);
    picture.points = {{{0, 0}, "first"}, {{rows - 1, cols - 1}, "last"}};
    picture.paths = {{{0, 0}, {rows - 1, cols - 1}}};
    const Image image = Draw(picture);
    EXPECT_LE(std::max(image.width, image.height), 1400) << rows << " x " << cols;
  }
}

TEST(PictureOfASurface, CanBeDrawnWithoutCells) {
  Picture picture;
  picture.frame.shape = {10, 10};
  picture.paths = {{{0, 0}, {1, 1}}};
  const Image image = Draw(picture);
  EXPECT_EQ(image.At(24 + 900, 52 + 300), (std::array<int, 3>{236, 239, 241}));
}

TEST(PictureOfASurface, AllImpassableIsAllGrey) {
  const std::vector<double> values(4, -1.0);
  const Image image = Draw(PictureOf(2, 2, values));
  EXPECT_EQ(image.At(24 + 300, 52 + 300), (std::array<int, 3>{189, 189, 189}));
}

}  // namespace
}  // namespace talweg
