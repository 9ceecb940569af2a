#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "npy_file.h"
#include "talweg/formats/raster_reader.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::RasterReadOptions;
using formats::ReadSurface;
using formats::SurfaceInput;
using test::HasReason;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A GeoTIFF of 2 x 3 cells, described by what is done to it.
struct Tiff {
  GDALDataType type = GDT_Float64;
  int bands = 1;
  std::vector<double> values = {1, 2, 3, 4, 5, 6};  // of the first band
  std::vector<std::string> options = {};
  std::function<void(GDALDataset&)> prepare = [](GDALDataset&) {};
};

class GdalRaster : public ::testing::Test {
 protected:
  void SetUp() override { GDALAllRegister(); }

  std::string Write(const Tiff& tiff) {
    const std::string path = folder_.File("r.tif");
    std::vector<char*> options;
    for (const std::string& option : tiff.options) {
      options.push_back(const_cast<char*>(option.c_str()));
    }
    options.push_back(nullptr);
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    GDALDataset* dataset =
        driver->Create(path.c_str(), 3, 2, tiff.bands, tiff.type, options.data());
    std::vector<double> values = tiff.values;
    EXPECT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 3, 2, values.data(), 3, 2,
                                                  GDT_Float64, 0, 0, nullptr),
              CE_None);
    tiff.prepare(*dataset);
    GDALClose(dataset);
    return path;
  }
  absl::StatusOr<SurfaceInput> Read(const Tiff& tiff, const RasterReadOptions& options = {}) {
    return ReadSurface(Write(tiff), options);
  }
  test::TemporaryFolder folder_;
};

template <class T>
std::vector<double> Cells(const SurfaceInput& input) {
  std::vector<double> values;
  for (const T value : input.cells.as<T>()) values.push_back(static_cast<double>(value));
  return values;
}

TEST_F(GdalRaster, TypesAreKept) {
  struct Row {
    GDALDataType from;
    v1::ValueType to;
  };
  for (const Row& row : std::vector<Row>{{GDT_Byte, v1::VALUE_TYPE_UINT8},
                                         {GDT_UInt16, v1::VALUE_TYPE_UINT16},
                                         {GDT_Int16, v1::VALUE_TYPE_INT16},
                                         {GDT_UInt32, v1::VALUE_TYPE_UINT32},
                                         {GDT_Int32, v1::VALUE_TYPE_INT32},
                                         {GDT_Float32, v1::VALUE_TYPE_FLOAT32},
                                         {GDT_Float64, v1::VALUE_TYPE_FLOAT64}}) {
    ASSERT_OK_AND_ASSIGN(const SurfaceInput input, Read({.type = row.from}));
    EXPECT_EQ(input.description.value_type(), row.to);
    EXPECT_EQ(input.description.rows(), 2u);
    EXPECT_EQ(input.description.cols(), 3u);
    EXPECT_THAT(input.warnings, IsEmpty());
  }
}

TEST_F(GdalRaster, SignedBytesAreSigned) {
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input, Read({.type = GDT_Byte,
                                                       .values = {1, 2, 3, 4, 5, 255},
                                                       .options = {"PIXELTYPE=SIGNEDBYTE"}}));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_INT8);
  EXPECT_EQ(Cells<int8_t>(input)[5], -1);
}

TEST_F(GdalRaster, WideIntegersAreNarrowedAndTheirNodataDoesNotWidenThem) {
  ASSERT_OK_AND_ASSIGN(SurfaceInput input, Read({.type = GDT_Int64}));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_UINT8);
  ASSERT_OK_AND_ASSIGN(input,
                       Read({.type = GDT_Int64, .prepare = [](GDALDataset& dataset) {
                               GDALRasterBand& band = *dataset.GetRasterBand(1);
                               band.SetNoDataValueAsInt64(std::numeric_limits<int64_t>::min());
                               int64_t nodata = std::numeric_limits<int64_t>::min();
                               EXPECT_EQ(band.RasterIO(GF_Write, 1, 0, 1, 1, &nodata, 1, 1,
                                                       GDT_Int64, 0, 0, nullptr),
                                         CE_None);
                             }}));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_UINT8);
  EXPECT_THAT(Cells<uint8_t>(input), ElementsAre(1, 255, 3, 4, 5, 6));
  EXPECT_THAT(input.description.nodata(), ElementsAre(255));
}

TEST_F(GdalRaster, NodataOfTheBandAndOfTheCallerAreBothKept) {
  ASSERT_OK_AND_ASSIGN(
      const SurfaceInput input,
      Read({.type = GDT_Int16,
            .prepare =
                [](GDALDataset& dataset) { dataset.GetRasterBand(1)->SetNoDataValue(-32768); }},
           {.nodata = {4, std::nan("")}}));
  EXPECT_THAT(input.description.nodata(), ElementsAre(-32768, 4));
}

TEST_F(GdalRaster, NodataThatCannotOccurIsIgnoredWithAWarning) {
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                       Read({.type = GDT_Byte, .prepare = [](GDALDataset& dataset) {
                               dataset.GetRasterBand(1)->SetNoDataValue(-9999);
                             }}));
  EXPECT_THAT(input.description.nodata(), IsEmpty());
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_THAT(input.warnings[0], HasSubstr("-9999 cannot occur in uint8"));
}

TEST_F(GdalRaster, NaNAsNodataNeedsNoMention) {
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                       Read({.type = GDT_Float32, .prepare = [](GDALDataset& dataset) {
                               dataset.GetRasterBand(1)->SetNoDataValue(std::nan(""));
                             }}));
  EXPECT_THAT(input.description.nodata(), IsEmpty());
}

void HideFirstCell(GDALRasterBand& mask) {
  std::vector<uint8_t> values = {0, 255, 255, 255, 255, 255};
  EXPECT_EQ(mask.RasterIO(GF_Write, 0, 0, 3, 2, values.data(), 3, 2, GDT_Byte, 0, 0, nullptr),
            CE_None);
}

TEST_F(GdalRaster, MaskedCellsGetAnUnusedValueAsNodata) {
  CPLSetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
  const auto mask = [](GDALDataset& dataset) {
    dataset.CreateMaskBand(GMF_PER_DATASET);
    HideFirstCell(*dataset.GetRasterBand(1)->GetMaskBand());
  };
  ASSERT_OK_AND_ASSIGN(SurfaceInput input,
                       Read({.type = GDT_Byte, .values = {1, 255, 254, 4, 5, 6}, .prepare = mask}));
  EXPECT_THAT(Cells<uint8_t>(input), ElementsAre(253, 255, 254, 4, 5, 6));
  EXPECT_THAT(input.description.nodata(), ElementsAre(253));

  ASSERT_OK_AND_ASSIGN(input, Read({.type = GDT_Float32, .prepare = mask}));
  EXPECT_TRUE(std::isnan(Cells<float>(input)[0]));
  EXPECT_EQ(Cells<float>(input)[1], 2);
  EXPECT_THAT(input.description.nodata(), IsEmpty());
}

TEST_F(GdalRaster, AMaskOverBytesThatUseEveryValueWidensThem) {
  CPLSetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
  const std::string path = folder_.File("full.tif");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  GDALDataset* dataset = driver->Create(path.c_str(), 257, 1, 1, GDT_Byte, nullptr);
  std::vector<uint8_t> values(257);
  std::iota(values.begin(), values.end(), uint8_t{0});
  std::vector<uint8_t> mask(257, 255);
  mask[256] = 0;
  ASSERT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 257, 1, values.data(), 257, 1,
                                                GDT_Byte, 0, 0, nullptr),
            CE_None);
  dataset->CreateMaskBand(GMF_PER_DATASET);
  ASSERT_EQ(dataset->GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 257, 1, mask.data(),
                                                               257, 1, GDT_Byte, 0, 0, nullptr),
            CE_None);
  GDALClose(dataset);
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input, ReadSurface(path));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_UINT16);
  EXPECT_THAT(input.description.nodata(), ElementsAre(65535));
  EXPECT_EQ(Cells<uint16_t>(input)[255], 255);
  EXPECT_EQ(Cells<uint16_t>(input)[256], 65535);
}

TEST_F(GdalRaster, AlphaHidesCellsEvenBesideANodataValue) {
  for (const bool with_nodata : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                         Read({.type = GDT_Byte,
                               .bands = 2,
                               .options = {"ALPHA=YES"},
                               .prepare = [with_nodata](GDALDataset& dataset) {
                                 HideFirstCell(*dataset.GetRasterBand(2));
                                 if (with_nodata) dataset.GetRasterBand(1)->SetNoDataValue(6);
                               }}));
    EXPECT_THAT(Cells<uint8_t>(input), ElementsAre(with_nodata ? 6 : 255, 2, 3, 4, 5, 6));
    EXPECT_THAT(input.description.nodata(), ElementsAre(with_nodata ? 6 : 255));
  }
}

TEST_F(GdalRaster, ScaleAndOffsetAreAppliedAndNodataIsTheStoredValue) {
  ASSERT_OK_AND_ASSIGN(SurfaceInput input,
                       Read({.type = GDT_Int16, .prepare = [](GDALDataset& dataset) {
                               dataset.GetRasterBand(1)->SetScale(0.5);
                               dataset.GetRasterBand(1)->SetOffset(10);
                               dataset.GetRasterBand(1)->SetNoDataValue(2);
                             }}));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_FLOAT32);
  EXPECT_EQ(Cells<float>(input)[0], 10.5);
  EXPECT_TRUE(std::isnan(Cells<float>(input)[1]));
  EXPECT_THAT(input.description.nodata(), IsEmpty());

  // 0.1 is no float32: float64 keeps what GDAL's own unscaling would give.
  ASSERT_OK_AND_ASSIGN(input, Read({.type = GDT_Int16, .prepare = [](GDALDataset& dataset) {
                                      dataset.GetRasterBand(1)->SetScale(0.1);
                                    }}));
  EXPECT_EQ(input.description.value_type(), v1::VALUE_TYPE_FLOAT64);
  EXPECT_EQ(Cells<double>(input)[2], 3 * 0.1);
}

TEST_F(GdalRaster, ComplexNumbersAreRefused) {
  const auto input = Read({.type = GDT_CFloat32});
  EXPECT_THAT(input, HasReason("FILE_CONTENT"));
  EXPECT_THAT(std::string(input.status().message()), HasSubstr("CFloat32"));
}

TEST_F(GdalRaster, TheBandIsChosenAndOthersAreNamed) {
  const Tiff tiff{.type = GDT_Byte, .bands = 3, .prepare = [](GDALDataset& dataset) {
                    dataset.GetRasterBand(3)->Fill(7);
                  }};
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input, Read(tiff, {.band = 3}));
  EXPECT_THAT(Cells<uint8_t>(input), ElementsAre(7, 7, 7, 7, 7, 7));
  const auto absent = Read(tiff, {.band = 4});
  EXPECT_THAT(absent, HasReason("FILE_CONTENT"));
  EXPECT_THAT(std::string(absent.status().message()), HasSubstr("a band from 1 to 3"));
}

TEST_F(GdalRaster, GeotransformsOfAllKindsAreKept) {
  const std::vector<std::vector<double>> table = {
      {100, 10, 0, 200, 0, -10},  // north-up
      {100, 10, 0, 200, 0, 10},   // south-up
      {100, 8, 6, 200, -6, 8},    // rotated
      {100, 10, 3, 200, 0, -10},  // sheared
  };
  for (std::vector<double> coefficients : table) {
    ASSERT_OK_AND_ASSIGN(const SurfaceInput input, Read({.prepare = [&](GDALDataset& dataset) {
                           dataset.SetGeoTransform(coefficients.data());
                         }}));
    EXPECT_THAT(input.description.geotransform(), ::testing::ElementsAreArray(coefficients));
  }
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input, Read({}));
  EXPECT_EQ(input.description.geotransform_size(), 0);
}

TEST_F(GdalRaster, ASingularGeotransformIsRefused) {
  const auto input = Read({.prepare = [](GDALDataset& dataset) {
    double coefficients[] = {100, 10, 10, 200, 10, 10};
    dataset.SetGeoTransform(coefficients);
  }});
  EXPECT_THAT(input, HasReason("SINGULAR_GEOTRANSFORM"));
  EXPECT_THAT(std::string(input.status().message()), HasSubstr("r.tif"));
}

v1::Crs CrsOf(const SurfaceInput& input) { return input.description.crs(); }

TEST_F(GdalRaster, TheKindOfTheCrsIsTold) {
  const auto with_crs = [this](const std::string& definition) {
    return Read({.prepare = [definition](GDALDataset& dataset) {
      OGRSpatialReference reference;
      EXPECT_EQ(reference.SetFromUserInput(definition.c_str()), OGRERR_NONE);
      double coefficients[] = {100, 10, 0, 200, 0, -10};
      dataset.SetGeoTransform(coefficients);
      dataset.SetSpatialRef(&reference);
    }});
  };
  ASSERT_OK_AND_ASSIGN(SurfaceInput input, with_crs("EPSG:32632"));
  EXPECT_EQ(CrsOf(input).kind(), v1::CRS_KIND_PROJECTED);
  EXPECT_EQ(CrsOf(input).name(), "WGS 84 / UTM zone 32N");
  EXPECT_EQ(CrsOf(input).linear_unit_m(), 1);
  EXPECT_EQ(CrsOf(input).semi_major_axis_m(), 6378137);
  EXPECT_NEAR(CrsOf(input).inverse_flattening(), 298.257223563, 1e-9);
  EXPECT_THAT(CrsOf(input).wkt(), ::testing::StartsWith("PROJCRS["));

  ASSERT_OK_AND_ASSIGN(input, with_crs("EPSG:2263"));  // New York, feet
  EXPECT_EQ(CrsOf(input).kind(), v1::CRS_KIND_PROJECTED);
  EXPECT_NEAR(CrsOf(input).linear_unit_m(), 0.3048006096, 1e-10);

  ASSERT_OK_AND_ASSIGN(input, with_crs("EPSG:4326"));
  EXPECT_EQ(CrsOf(input).kind(), v1::CRS_KIND_GEOGRAPHIC);

  ASSERT_OK_AND_ASSIGN(input, with_crs("LOCAL_CS[\"mine\",UNIT[\"metre\",1]]"));
  EXPECT_EQ(CrsOf(input).kind(), v1::CRS_KIND_LOCAL);

  ASSERT_OK_AND_ASSIGN(input, Read({}));
  EXPECT_EQ(CrsOf(input).kind(), v1::CRS_KIND_NONE);
  EXPECT_EQ(CrsOf(input).wkt(), "");
}

TEST_F(GdalRaster, WhatGdalCannotOpenIsNamedWithGdalsReason) {
  const std::string path = folder_.File("text.tif");
  test::WriteFile(path, "this is no raster");
  const auto input = ReadSurface(path);
  EXPECT_THAT(input, HasReason("FILE_UNREADABLE"));
  EXPECT_THAT(std::string(input.status().message()), HasSubstr("not recognized"));
}

TEST_F(GdalRaster, ReadingCanBeInterrupted) {
  const auto input = Read({}, {.cancelled = [] { return true; }});
  EXPECT_EQ(input.status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace talweg
