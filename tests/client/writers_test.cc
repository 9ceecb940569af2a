#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <limits>

#include "npy_file.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/field_writer.h"
#include "talweg/formats/matrix_writer.h"
#include "talweg/formats/output_format.h"
#include "talweg/formats/path_writer.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::Json;
using formats::OutputSet;
using formats::PairAnswer;
using formats::Provenance;
using formats::SurfaceFrame;
using test::HasReason;
using test::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Pair {
  v1::Outcome outcome;
  double cost;
  double length;
  uint64_t start;
  std::string steps;
};

// On 3 x 4 cells: "a" at (0, 0), "b, b" at (2, 3), "c" is bad.
PairAnswer TestAnswer() {
  const std::vector<Pair> pairs = {
      {v1::OUTCOME_OK, 0, 0, 0, ""},
      {v1::OUTCOME_OK, 0.1, 3.8284271247461903, 0, std::string("\x05\x05\x01", 3)},
      {v1::OUTCOME_DESTINATION_OUTSIDE, kNaN, kNaN, 0, ""},
      {v1::OUTCOME_UNREACHABLE, kNaN, kNaN, 0, ""},
      {v1::OUTCOME_OK, 0, 0, 11, ""},
      {v1::OUTCOME_DESTINATION_OUTSIDE, kNaN, kNaN, 0, ""}};
  PairAnswer answer({"a", "b, b"}, {"a", "b, b", "c"});
  v1::PairBlock block;
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    block.add_source(i / 3);
    block.add_destination(i % 3);
    block.add_cost(pairs[i].cost);
    block.add_length(pairs[i].length);
    block.add_outcome(pairs[i].outcome);
    v1::EncodedPath& path = *block.add_path();
    path.set_start_cell(pairs[i].start);
    path.set_steps(pairs[i].steps);
  }
  EXPECT_THAT(answer.Add(block), IsOk());
  EXPECT_THAT(answer.CheckComplete(), IsOk());
  return answer;
}

Provenance TestProvenance() { return {"dem.tif", "0123456789abcdef", Json{{"step", "mean"}}}; }

v1::SurfaceDescription Description(const std::string& crs = "") {
  v1::SurfaceDescription description;
  description.set_rows(3);
  description.set_cols(4);
  if (crs.empty()) return description;
  for (const double c : {500000.0, 10.0, 0.0, 5200000.0, 0.0, -10.0}) {
    description.add_geotransform(c);
  }
  OGRSpatialReference reference;
  EXPECT_EQ(reference.SetFromUserInput(crs.c_str()), OGRERR_NONE);
  char* wkt = nullptr;
  reference.exportToWkt(&wkt);
  description.mutable_crs()->set_wkt(wkt);
  description.mutable_crs()->set_kind(v1::CRS_KIND_PROJECTED);
  CPLFree(wkt);
  return description;
}

SurfaceFrame Frame(const std::string& crs = "") { return *formats::FrameOf(Description(crs)); }

class Writers : public ::testing::Test {
 protected:
  void SetUp() override { GDALAllRegister(); }
  test::TemporaryFolder folder_;
};

TEST_F(Writers, MatrixAsCsv) {
  EXPECT_EQ(formats::MatrixCsv(TestAnswer()),
            "from_id,to_id,cost,length,outcome\n"
            "a,a,0,0,ok\n"
            "a,\"b, b\",0.10000000000000001,3.8284271247461903,ok\n"
            "a,c,,,destination_outside\n"
            "\"b, b\",a,,,unreachable\n"
            "\"b, b\",\"b, b\",0,0,ok\n"
            "\"b, b\",c,,,destination_outside\n");
}

TEST_F(Writers, MatrixAsNpyHasInfinityForNoRouteAndNaNForBadPoints) {
  const std::string path = folder_.File("m.npy");
  OutputSet outputs;
  ASSERT_THAT(formats::WriteMatrix(path, TestAnswer(), TestProvenance(), {}, outputs), IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  EXPECT_THAT(test::ReadFile(path), HasSubstr("'shape': (2, 3)"));
  const auto values = test::NpyValues<double>(path);
  ASSERT_EQ(values.size(), 6u);
  EXPECT_EQ(values[1], 0.1);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], kInf);
  const Json sidecar = Json::parse(test::ReadFile(path + ".json"));
  EXPECT_EQ(sidecar["surface"], "dem.tif");
  EXPECT_EQ(sidecar["revision"], "0123456789abcdef");
  EXPECT_EQ(sidecar["recipe"]["step"], "mean");
  EXPECT_TRUE(sidecar.contains("talweg_version"));
}

TEST_F(Writers, MatrixAsJsonHasNullWhereThereIsNoNumber) {
  const std::string path = folder_.File("m.json");
  OutputSet outputs;
  ASSERT_THAT(formats::WriteMatrix(path, TestAnswer(), TestProvenance(), {"careful"}, outputs),
              IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  const Json json = Json::parse(test::ReadFile(path));
  EXPECT_EQ(json["to"], Json({"a", "b, b", "c"}));
  EXPECT_EQ(json["cost"][0][1], 0.1);
  EXPECT_TRUE(json["cost"][1][0].is_null());
  EXPECT_EQ(json["outcome"][1][0], "unreachable");
  EXPECT_EQ(json["warnings"][0], "careful");
  EXPECT_EQ(json["surface"], "dem.tif");
}

TEST_F(Writers, PathsAsJsonLinesIncludeTheDiagonalAndOnlyOk) {
  const std::string path = folder_.File("p.jsonl");
  OutputSet outputs;
  ASSERT_THAT(formats::WritePaths(path, TestAnswer(), Frame(), TestProvenance(), outputs), IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  EXPECT_EQ(test::ReadFile(path),
            "{\"from_id\":\"a\",\"to_id\":\"a\",\"cost\":0,\"length\":0,\"outcome\":\"ok\","
            "\"cells\":[[0,0]]}\n"
            "{\"from_id\":\"a\",\"to_id\":\"b, b\",\"cost\":0.10000000000000001,"
            "\"length\":3.8284271247461903,\"outcome\":\"ok\","
            "\"cells\":[[0,0],[1,1],[2,2],[2,3]]}\n"
            "{\"from_id\":\"b, b\",\"to_id\":\"b, b\",\"cost\":0,\"length\":0,\"outcome\":\"ok\","
            "\"cells\":[[2,3]]}\n");
}

TEST_F(Writers, GeoJsonIsWgs84WithoutTheDiagonal) {
  const std::string path = folder_.File("p.geojson");
  OutputSet outputs;
  ASSERT_THAT(
      formats::WritePaths(path, TestAnswer(), Frame("EPSG:32632"), TestProvenance(), outputs),
      IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  const Json json = Json::parse(test::ReadFile(path));
  EXPECT_FALSE(json.contains("crs"));
  ASSERT_EQ(json["features"].size(), 1u);
  const Json& feature = json["features"][0];
  EXPECT_EQ(feature["properties"]["to_id"], "b, b");
  EXPECT_EQ(feature["properties"]["cost"], 0.1);
  ASSERT_EQ(feature["geometry"]["coordinates"].size(), 4u);
  EXPECT_NEAR(feature["geometry"]["coordinates"][0][0].get<double>(), 9.0000657, 1e-6);
  EXPECT_NEAR(feature["geometry"]["coordinates"][0][1].get<double>(), 46.9534842, 1e-6);
}

TEST_F(Writers, GeoJsonWithoutACrsSaysSo) {
  const std::string path = folder_.File("p.geojson");
  OutputSet outputs;
  ASSERT_THAT(formats::WritePaths(path, TestAnswer(), Frame(), TestProvenance(), outputs), IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  const Json json = Json::parse(test::ReadFile(path));
  EXPECT_TRUE(json.contains("crs"));
  EXPECT_TRUE(json["crs"].is_null());
  EXPECT_EQ(json["features"][0]["geometry"]["coordinates"],
            Json::parse("[[0.5,0.5],[1.5,1.5],[2.5,2.5],[3.5,2.5]]"));
}

TEST_F(Writers, GeoPackageIsReadBackByOgr) {
  const std::string path = folder_.File("p.gpkg");
  OutputSet outputs;
  ASSERT_THAT(
      formats::WritePaths(path, TestAnswer(), Frame("EPSG:32632"), TestProvenance(), outputs),
      IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
  ASSERT_NE(dataset, nullptr);
  EXPECT_STREQ(dataset->GetMetadataItem("TALWEG_SURFACE"), "dem.tif");
  EXPECT_STREQ(dataset->GetMetadataItem("TALWEG_RECIPE"), "{\"step\":\"mean\"}");
  OGRLayer* layer = dataset->GetLayerByName("paths");
  ASSERT_NE(layer, nullptr);
  EXPECT_STREQ(layer->GetSpatialRef()->GetAuthorityCode(nullptr), "32632");
  ASSERT_EQ(layer->GetFeatureCount(), 1);
  OGRFeatureUniquePtr feature(layer->GetNextFeature());
  EXPECT_STREQ(feature->GetFieldAsString("from_id"), "a");
  EXPECT_EQ(feature->GetFieldAsDouble("cost"), 0.1);
  EXPECT_EQ(feature->GetFieldAsDouble("length"), 3.8284271247461903);
  const OGRLineString& line = *feature->GetGeometryRef()->toLineString();
  ASSERT_EQ(line.getNumPoints(), 4);
  EXPECT_EQ(line.getX(3), 500035);
  EXPECT_EQ(line.getY(3), 5199975);
}

TEST_F(Writers, UnknownExtensionsAreRefusedNamingTheKnown) {
  EXPECT_THAT(formats::MatrixFormatOf("m.xlsx"), HasReason("OUTPUT_FORMAT"));
  EXPECT_THAT(std::string(formats::MatrixFormatOf("m").status().message()),
              HasSubstr(".csv, .npy or .json"));
  EXPECT_THAT(formats::PathFormatOf("p.shp"), HasReason("OUTPUT_FORMAT"));
  EXPECT_THAT(formats::RasterFormatOf("f.csv"), HasReason("OUTPUT_FORMAT"));
  EXPECT_THAT(formats::RasterFormatOf("f.TIF"), IsOk());
}

// ---- Fields -------------------------------------------------------------------

// 3 x 4 cells: a source, eight moves around, one not reached, one impassable,
// one more move.
v1::FieldBlock FieldCells(uint64_t first, uint64_t count) {
  const std::vector<double> costs = {0, 1, 2, 3, 4, 5, 6, 7, 8, kInf, kNaN, 9};
  const std::string links = std::string("\xff\x00\x01\x02\x03\x04\x05\x06\x07\xfe\xfd\x01", 12);
  const std::vector<int32_t> allocation = {0, 0, 0, 1, 1, 1, 1, 0, 0, -1, -1, 0};
  v1::FieldBlock block;
  block.set_first_cell(first);
  block.set_cell_count(count);
  block.set_costs(test::RawBytes(costs).substr(first * 8, count * 8));
  block.set_back_links(links.substr(first, count));
  block.set_allocation(test::RawBytes(allocation).substr(first * 4, count * 4));
  return block;
}

absl::Status WriteField(const formats::FieldFiles& files, const SurfaceFrame& frame,
                        Neighbourhood neighbourhood = Neighbourhood::kEight) {
  OutputSet outputs;
  TALWEG_ASSIGN_OR_RETURN(
      formats::FieldWriter writer,
      formats::FieldWriter::Open(files, frame, neighbourhood, TestProvenance(), outputs));
  // Blocks end within rows.
  TALWEG_RETURN_IF_ERROR(writer.Add(FieldCells(0, 5)));
  TALWEG_RETURN_IF_ERROR(writer.Add(FieldCells(5, 7)));
  TALWEG_RETURN_IF_ERROR(writer.Finish());
  return outputs.Commit();
}

std::vector<double> BandValues(GDALDataset& dataset, int band) {
  std::vector<double> values(12);
  EXPECT_EQ(dataset.GetRasterBand(band)->RasterIO(GF_Read, 0, 0, 4, 3, values.data(), 4, 3,
                                                  GDT_Float64, 0, 0, nullptr),
            CE_None);
  return values;
}

TEST_F(Writers, FieldAsNpy) {
  ASSERT_THAT(WriteField({.cost = folder_.File("f.npy"),
                          .back_links = folder_.File("b.npy"),
                          .allocation = folder_.File("a.npy")},
                         Frame()),
              IsOk());
  const auto costs = test::NpyValues<double>(folder_.File("f.npy"));
  EXPECT_EQ(costs[8], 8);
  EXPECT_EQ(costs[9], kInf);
  EXPECT_TRUE(std::isnan(costs[10]));
  EXPECT_THAT(test::NpyValues<uint8_t>(folder_.File("b.npy")),
              ElementsAre(255, 0, 1, 2, 3, 4, 5, 6, 7, 254, 253, 1));
  EXPECT_THAT(test::NpyValues<int32_t>(folder_.File("a.npy")),
              ElementsAre(0, 0, 0, 1, 1, 1, 1, 0, 0, -1, -1, 0));
}

TEST_F(Writers, FieldAsGeoTiffWithStatus) {
  const std::string path = folder_.File("f.tif");
  ASSERT_THAT(
      WriteField({.cost = path, .status = formats::StatusBand::kSecondBand}, Frame("EPSG:32632")),
      IsOk());
  GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  ASSERT_NE(dataset, nullptr);
  ASSERT_EQ(dataset->GetRasterCount(), 2);
  EXPECT_EQ(dataset->GetRasterBand(1)->GetRasterDataType(), GDT_Float64);
  int has_nodata = FALSE;
  EXPECT_TRUE(std::isnan(dataset->GetRasterBand(1)->GetNoDataValue(&has_nodata)));
  EXPECT_TRUE(has_nodata);
  const auto costs = BandValues(*dataset, 1);
  EXPECT_EQ(costs[8], 8);
  EXPECT_TRUE(std::isnan(costs[9]));
  EXPECT_TRUE(std::isnan(costs[10]));
  EXPECT_THAT(BandValues(*dataset, 2), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0));
  EXPECT_STREQ(dataset->GetRasterBand(2)->GetDescription(), "status");
  EXPECT_STREQ(dataset->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE"), "DEFLATE");
  EXPECT_STREQ(dataset->GetMetadataItem("TALWEG_REVISION"), "0123456789abcdef");
  EXPECT_STREQ(dataset->GetSpatialRef()->GetAuthorityCode(nullptr), "32632");
  double geotransform[6];
  dataset->GetGeoTransform(geotransform);
  EXPECT_EQ(geotransform[5], -10);
}

TEST_F(Writers, AStatusBandNeedsATiff) {
  EXPECT_THAT(formats::CheckFieldFiles(
                  {.cost = folder_.File("f.npy"), .status = formats::StatusBand::kSecondBand}),
              HasReason("OUTPUT_FORMAT"));
}

template <class T>
std::vector<T> CodedLinks(const test::TemporaryFolder& folder, formats::BackLinkCoding coding,
                          Neighbourhood neighbourhood = Neighbourhood::kEight) {
  EXPECT_THAT(WriteField({.cost = "", .back_links = folder.File("b.npy"), .coding = coding},
                         Frame(), neighbourhood),
              IsOk());
  return test::NpyValues<T>(folder.File("b.npy"));
}

// Our codes in the cells: source, N, E, S, W, NE, SE, SW, NW, not reached,
// impassable, E.
TEST_F(Writers, BackLinksInTheCodingsOfOtherTools) {
  using formats::BackLinkCoding;
  // Offsets of MCP(fully_connected=True): NW N NE W E SW S SE.
  EXPECT_THAT(CodedLinks<int16_t>(folder_, BackLinkCoding::kSkimage),
              ElementsAre(-1, 1, 4, 6, 3, 2, 7, 5, 0, -2, -2, 4));
  // Offsets of MCP(fully_connected=False): N W E S.
  EXPECT_THAT(CodedLinks<int16_t>(folder_, BackLinkCoding::kSkimage, Neighbourhood::kFour),
              ElementsAre(-1, 0, 2, 3, 1, -2, -2, -2, -2, -2, -2, 2));
  // A cell entered by a move north looks south for its source.
  const auto grass = CodedLinks<float>(folder_, BackLinkCoding::kGrass);
  EXPECT_TRUE(std::isnan(grass[0]));
  EXPECT_THAT(std::vector<float>(grass.begin() + 1, grass.begin() + 9),
              ElementsAre(270, 180, 90, 360, 225, 135, 45, 315));
  EXPECT_TRUE(std::isnan(grass[9]));
  EXPECT_THAT(CodedLinks<uint8_t>(folder_, BackLinkCoding::kEsri),
              ElementsAre(0, 3, 5, 7, 1, 4, 6, 8, 2, 255, 255, 5));
  EXPECT_THAT(CodedLinks<uint8_t>(folder_, BackLinkCoding::kWhitebox),
              ElementsAre(0, 8, 32, 128, 2, 16, 64, 1, 4, 255, 255, 32));
  EXPECT_THAT(formats::ParseBackLinkCoding("arc"), HasReason("INVALID_VALUE"));
}

TEST_F(Writers, AFieldWithAGapOrWithoutItsEndIsAProtocolError) {
  OutputSet outputs;
  ASSERT_OK_AND_ASSIGN(
      formats::FieldWriter writer,
      formats::FieldWriter::Open({.cost = folder_.File("f.npy")}, Frame(), Neighbourhood::kEight,
                                 TestProvenance(), outputs));
  EXPECT_THAT(writer.Add(FieldCells(5, 7)), HasReason("PROTOCOL_ERROR"));
  EXPECT_THAT(writer.Add(FieldCells(0, 5)), IsOk());
  EXPECT_THAT(writer.Finish(), HasReason("PROTOCOL_ERROR"));
}

TEST(PairAnswer, RefusesWhatIsNoAnswer) {
  PairAnswer answer({"a"}, {"a"});
  EXPECT_THAT(answer.CheckComplete(), HasReason("PROTOCOL_ERROR"));
  v1::PairBlock block;
  block.add_source(0);
  EXPECT_THAT(answer.Add(block), HasReason("PROTOCOL_ERROR"));
  block.add_destination(1);
  block.add_cost(0);
  block.add_length(0);
  block.add_outcome(v1::OUTCOME_OK);
  EXPECT_THAT(answer.Add(block), HasReason("PROTOCOL_ERROR"));
  block.set_destination(0, 0);
  EXPECT_THAT(answer.Add(block), IsOk());
  EXPECT_THAT(answer.Add(block), HasReason("PROTOCOL_ERROR"));
}

}  // namespace
}  // namespace talweg
