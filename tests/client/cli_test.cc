// The talweg command as its users meet it: the built program, its private
// server, its workers.
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <thread>

#include "npy_file.h"
#include "run_program.h"
#include "talweg/formats/provenance.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::Json;
using test::ProgramResult;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();

class Cli : public ::testing::Test {
 protected:
  ProgramResult Talweg(std::vector<std::string> arguments,
                       const std::vector<std::string>& environment = {}) {
    return test::Run("talweg", arguments, environment);
  }
  std::string File(const std::string& name) { return folder_.File(name); }
  std::string Write(const std::string& name, const std::string& text) {
    test::WriteFile(File(name), text);
    return File(name);
  }
  template <class T>
  std::string Npy(const std::string& name, const std::string& descr, const std::string& shape,
                  const std::vector<T>& values) {
    return Write(name,
                 test::NpyBytes(test::NpyDictionary(descr, false, shape), test::RawBytes(values)));
  }
  // [[1, 3], [10, 12]]
  std::string Golden() { return Npy<double>("golden.npy", "<f8", "(2, 2)", {1, 3, 10, 12}); }
  // n x n ones.
  std::string Ones(int n) {
    return Npy<double>("ones.npy", "<f8", "(" + std::to_string(n) + ", " + std::to_string(n) + ")",
                       std::vector<double>(static_cast<size_t>(n * n), 1.0));
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  double RouteCost(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"route",     Golden(), "--from-cell", "0,0",
                                          "--to-cell", "1,1",    "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = Talweg(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (result.exit_code != 0) return -1;
    return Json::parse(result.out)["routes"][0]["cost"].get<double>();
  }
  test::TemporaryFolder folder_;
};

// ---- Golden numbers -----------------------------------------------------------

TEST_F(Cli, RoutesHaveTheGoldenCosts) {
  EXPECT_DOUBLE_EQ(RouteCost({}), 9.19238815542512);
  EXPECT_DOUBLE_EQ(RouteCost({"--neighbourhood", "4"}), 9.5);
  EXPECT_DOUBLE_EQ(RouteCost({"--neighbourhood", "4", "--step", "entry"}), 16);
}

TEST_F(Cli, AnEntryFieldIsTheGoldenOne) {
  const std::string surface =
      Npy<uint8_t>("s.npy", "|u1", "(4, 4)", {1, 2, 2, 2, 2, 3, 2, 1, 1, 3, 2, 1, 2, 3, 2, 1});
  const ProgramResult result =
      Talweg({"field", surface, "--from-cell", "3,3", "--step", "entry", "--out", File("f.npy"),
              "--backlink", File("b.npy"), "--allocation", File("a.npy")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(test::NpyValues<double>(File("f.npy")),
              ElementsAre(7, 6, 5, 5, 8, 6, 4, 3, 7, 6, 3, 2, 8, 6, 3, 1));
  EXPECT_EQ(test::NpyValues<uint8_t>(File("b.npy"))[15], 255);
  EXPECT_THAT(test::NpyValues<int32_t>(File("a.npy")), ::testing::Each(0));
  EXPECT_THAT(result.out, HasSubstr("reached 16 of 16 cells (complete)"));
}

TEST_F(Cli, SamplingIsHeightThenWidth) {
  const std::string surface = Npy<double>("s.npy", "<f8", "(5, 6)", std::vector<double>(30, 1.0));
  const ProgramResult result =
      Talweg({"field", surface, "--from-cell", "0,0", "--sampling", "2,1", "--out", File("f.npy")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto field = test::NpyValues<double>(File("f.npy"));
  EXPECT_EQ(field[6], 2);
  EXPECT_EQ(field[24], 8);
  EXPECT_NEAR(field[7], 2.236067977, 1e-9);
}

// ---- Matrix -------------------------------------------------------------------

TEST_F(Cli, MatrixGoesToStdoutAsCsvWithoutOut) {
  const ProgramResult result =
      Talweg({"matrix", Golden(), "--pois", Write("p.csv", "id,row,col\na,0,0\nb,1,1\n")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "from_id,to_id,cost,length,outcome\n"
            "a,a,0,0,ok\n"
            "a,b,9.1923881554251192,1.4142135623730951,ok\n"
            "b,a,9.1923881554251192,1.4142135623730951,ok\n"
            "b,b,0,0,ok\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(Cli, MatrixWritesEveryFormatWithItsProvenance) {
  const ProgramResult result =
      Talweg({"matrix", Ones(30), "--pois", Write("p.csv", "id,row,col\na,1,1\nb,25,20\nc,3,28\n"),
              "--out", File("m.csv"), "--out", File("m.npy"), "--out", File("m.json"), "--paths",
              File("p.jsonl"), "--paths", File("p.geojson"), "--paths", File("p.gpkg"), "--picture",
              File("p.png")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(test::NpyValues<double>(File("m.npy")).size(), 9u);
  const Json sidecar = Json::parse(test::ReadFile(File("m.npy.json")));
  EXPECT_EQ(sidecar["surface"], "ones.npy");
  EXPECT_EQ(sidecar["revision"].get<std::string>().size(), 16u);
  EXPECT_EQ(sidecar["recipe"]["neighbourhood"], 8);
  EXPECT_EQ(sidecar["recipe"]["units"], "cells");
  EXPECT_EQ(sidecar["recipe"]["step"], "mean");
  EXPECT_EQ(sidecar["recipe"]["symmetric"], "off");
  const std::string lines = test::ReadFile(File("p.jsonl"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 9);
  EXPECT_EQ(Json::parse(test::ReadFile(File("p.geojson")))["features"].size(), 6u);
  EXPECT_GT(std::filesystem::file_size(File("p.png")), 1000u);
  // Whatever was in the making is gone.
  for (const std::string& name : Names()) EXPECT_NE(name.front(), '.') << name;
}

TEST_F(Cli, MatrixFromPointsToOtherPoints) {
  const ProgramResult result =
      Talweg({"matrix", Ones(10), "--pois", Write("a.csv", "id,x,y\na,0.5,0.5\n"), "--to",
              Write("b.csv", "id,row,col\nb,0,3\nc,0,7\n")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "from_id,to_id,cost,length,outcome\na,b,3,3,ok\na,c,7,7,ok\n");
}

TEST_F(Cli, BadPointsAreOutcomesNotErrors) {
  const std::string nan_surface = Npy<double>("s.npy", "<f8", "(1, 5)", {1, 1, NAN, 1, 1});
  const std::string points =
      Write("p.csv", "id,row,col\na,0,0\nout,7,7\nwall,0,2\nfar,0,4\nnear,0,1\n");
  const ProgramResult result = Talweg(
      {"matrix", nan_surface, "--pois", points, "--out", File("m.npy"), "--out", File("m.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("1 of 5 points is outside the surface: \"out\""),
                    HasSubstr("1 of 5 points is on impassable cells"), HasSubstr("\"wall\"")));
  const std::string csv = test::ReadFile(File("m.csv"));
  EXPECT_THAT(
      csv, AllOf(HasSubstr("a,out,,,destination_outside\n"),
                 HasSubstr("a,wall,,,destination_impassable\n"), HasSubstr("a,far,,,unreachable\n"),
                 HasSubstr("a,near,1,1,ok\n"), HasSubstr("wall,a,,,source_impassable\n"),
                 HasSubstr("out,a,,,source_outside\n")));
  const auto matrix = test::NpyValues<double>(File("m.npy"));
  EXPECT_TRUE(std::isnan(matrix[1]));
  EXPECT_EQ(matrix[3], kInf);
  EXPECT_EQ(Talweg({"matrix", nan_surface, "--pois", points, "--strict"}).exit_code, 1);
  EXPECT_EQ(Talweg({"matrix", nan_surface, "--pois", points, "--quiet"}).err, "");
}

TEST_F(Cli, AllPointsBadIsDoneWithAWarning) {
  const ProgramResult result =
      Talweg({"matrix", Golden(), "--pois", Write("p.csv", "row,col\n9,9\n-1,0\n")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("passable cell of the surface"));
}

TEST_F(Cli, SnapMovesPointsToPassableCells) {
  const std::string surface = Npy<double>("s.npy", "<f8", "(1, 4)", {1, 1, NAN, 1});
  const std::vector<std::string> base = {"route",     surface, "--from-cell", "0,0",
                                         "--to-cell", "0,2",   "--json"};
  std::vector<std::string> snapped = base;
  snapped.insert(snapped.end(), {"--snap", "1.5c"});
  const Json route = Json::parse(Talweg(snapped).out)["routes"][0];
  EXPECT_EQ(route["outcome"], "ok");
  EXPECT_EQ(route["to"]["cell"], Json({0, 1}));
}

TEST_F(Cli, LimitsAreInclusiveAndTheOutcomeSaysSo) {
  const ProgramResult result =
      Talweg({"matrix", Ones(10), "--pois", Write("p.csv", "id,row,col\na,0,0\n"), "--to",
              Write("q.csv", "id,row,col\nb,0,3\nc,0,4\n"), "--max-cost", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("a,b,3,3,ok\n"), HasSubstr("a,c,,,beyond_max_cost\n")));
}

TEST_F(Cli, SymmetricMatricesAreSymmetric) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(0.1 + (i * 7919 % 101) / 13.0);
  const std::string surface = Npy<double>("s.npy", "<f8", "(20, 20)", values);
  const ProgramResult result =
      Talweg({"matrix", surface, "--pois", Write("p.csv", "row,col\n0,0\n19,3\n7,18\n12,12\n"),
              "--symmetric", "on", "--out", File("m.npy")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto matrix = test::NpyValues<double>(File("m.npy"));
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) EXPECT_EQ(matrix[i * 4 + j], matrix[j * 4 + i]);
  }
}

TEST_F(Cli, NodataAndBarriersCloseCells) {
  const std::string surface = Npy<int16_t>("s.npy", "<i2", "(1, 4)", {1, 7, 1, 1});
  const std::vector<std::string> route = {"route",     surface, "--from-cell", "0,0",
                                          "--to-cell", "0,3",   "--json"};
  const auto outcome = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = route;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(Talweg(arguments).out)["routes"][0];
  };
  EXPECT_EQ(outcome({})["cost"], 9);
  EXPECT_EQ(outcome({"--nodata", "7"})["outcome"], "unreachable");
  EXPECT_EQ(outcome({"--barrier-values", "5,7"})["outcome"], "unreachable");
  EXPECT_EQ(outcome({"--nodata", "7", "--nodata-friction", "1"})["cost"], 3);
}

TEST_F(Cli, NegativeCellsAreBarriersWithAWarningOrAnError) {
  const std::string surface = Npy<int16_t>("s.npy", "<i2", "(1, 3)", {1, -2, 1});
  const std::vector<std::string> route = {"route", surface,     "--from-cell",
                                          "0,0",   "--to-cell", "0,2"};
  const ProgramResult barrier = Talweg(route);
  EXPECT_EQ(barrier.exit_code, 0);
  EXPECT_THAT(barrier.out, HasSubstr("unreachable"));
  EXPECT_THAT(barrier.err, HasSubstr("negative"));
  std::vector<std::string> with_error = route;
  with_error.insert(with_error.end(), {"--negative", "error"});
  const ProgramResult error = Talweg(with_error);
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_THAT(error.err, HasSubstr("talweg: error:"));
}

// ---- Route --------------------------------------------------------------------

TEST_F(Cli, RouteJsonHasTheContractsShape) {
  const ProgramResult result =
      Talweg({"route", Golden(), "--from-cell", "0,0", "--to-cell", "1,1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["surface"], "golden.npy");
  EXPECT_EQ(json["revision"].get<std::string>().size(), 16u);
  EXPECT_TRUE(json["recipe"].is_object());
  EXPECT_TRUE(json["warnings"].is_array());
  ASSERT_EQ(json["routes"].size(), 1u);
  const Json& route = json["routes"][0];
  EXPECT_EQ(route["from"]["cell"], Json({0, 0}));
  EXPECT_EQ(route["from"]["xy"], Json({0.5, 0.5}));
  EXPECT_EQ(route["to"]["cell"], Json({1, 1}));
  EXPECT_EQ(route["cells"], Json::parse("[[0,0],[1,1]]"));
  EXPECT_EQ(route["outcome"], "ok");
  EXPECT_DOUBLE_EQ(route["length"].get<double>(), std::sqrt(2.0));
}

TEST_F(Cli, RouteIsEveryFromWithEveryToInTheOrderTyped) {
  // The options never swallow the surface that stands behind them.
  const ProgramResult result =
      Talweg({"route", "--from-cell", "0,0", "--from-xy", "1.5,0.5", "--from-cell", "0,2",
              "--to-xy=5.5,0.5", "--to-cell", "0,7", Ones(10), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<double> costs;
  const Json json = Json::parse(result.out);
  for (const Json& route : json["routes"]) costs.push_back(route["cost"].get<double>());
  EXPECT_THAT(costs, ElementsAre(5, 7, 4, 6, 3, 5));
}

TEST_F(Cli, RouteWithoutJsonIsATable) {
  const ProgramResult result =
      Talweg({"route", Golden(), "--from-cell", "0,0", "--to-cell", "1,1", "--to-cell", "5,5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("cost"), HasSubstr("length (cells)"),
                                HasSubstr("9.192388155"), HasSubstr("destination_outside")));
  EXPECT_THAT(result.err, HasSubstr("outside"));
}

TEST_F(Cli, NegativeCoordinatesAreValuesNotOptions) {
  const ProgramResult result =
      Talweg({"route", Golden(), "--from-cell", "-1,0", "--to-xy", "-0.5,-3", "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["routes"][0]["outcome"], "source_outside");
}

// ---- Field --------------------------------------------------------------------

TEST_F(Cli, FieldAsGeoTiffCarriesPlaceAndProvenance) {
  GDALAllRegister();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  GDALDataset* dataset = driver->Create(File("in.tif").c_str(), 4, 3, 1, GDT_Float32, nullptr);
  double geotransform[] = {500000, 10, 0, 5200000, 0, -10};
  dataset->SetGeoTransform(geotransform);
  OGRSpatialReference reference;
  reference.importFromEPSG(32632);
  dataset->SetSpatialRef(&reference);
  dataset->GetRasterBand(1)->Fill(2);
  GDALClose(dataset);
  const ProgramResult result = Talweg({"field", File("in.tif"), "--from-xy", "500005,5199995",
                                       "--out", File("f.tif"), "--status", "--max-cost", "60"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  GDALDatasetUniquePtr field(GDALDataset::Open(File("f.tif").c_str(), GDAL_OF_RASTER));
  ASSERT_NE(field, nullptr);
  std::vector<double> costs(12), status(12);
  ASSERT_EQ(field->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, 4, 3, costs.data(), 4, 3, GDT_Float64,
                                              0, 0, nullptr),
            CE_None);
  ASSERT_EQ(field->GetRasterBand(2)->RasterIO(GF_Read, 0, 0, 4, 3, status.data(), 4, 3, GDT_Float64,
                                              0, 0, nullptr),
            CE_None);
  EXPECT_EQ(costs[3], 60);  // three cells of 10 m at friction 2, the limit itself
  EXPECT_EQ(status[3], 0);
  EXPECT_TRUE(std::isnan(costs[11]));
  EXPECT_EQ(status[11], 1);
  EXPECT_STREQ(field->GetMetadataItem("TALWEG_SURFACE"), "in.tif");
  EXPECT_STREQ(field->GetSpatialRef()->GetAuthorityCode(nullptr), "32632");
}

TEST_F(Cli, FieldStopsAtItsDestinationsAndSaysWhy) {
  const ProgramResult result =
      Talweg({"field", Ones(30), "--from-cell", "0,0", "--to-cell", "0,3", "--to-cell", "99,0",
              "--out", File("f.npy"), "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["stop_cause"], "destinations_settled");
  EXPECT_EQ(json["destinations"][0]["cost"], 3);
  EXPECT_EQ(json["destinations"][1]["outcome"], "destination_outside");
  EXPECT_EQ(test::NpyValues<double>(File("f.npy"))[29], kInf);
}

// ---- Wrong usage --------------------------------------------------------------

struct Wrong {
  const char* name;
  std::vector<std::string> arguments;  // SURFACE, POIS and FOLDER are replaced
  std::vector<std::string> message;
};

class CliWrongUsage : public Cli, public ::testing::WithParamInterface<Wrong> {};

TEST_P(CliWrongUsage, Exits2WithTheReasonAndNoFile) {
  const std::string surface = Golden();
  const std::string points = Write("p.csv", "id,row,col\na,0,0\nb,1,1\n");
  const auto before = Names();
  std::vector<std::string> arguments;
  for (std::string argument : GetParam().arguments) {
    if (argument == "SURFACE") argument = surface;
    if (argument == "POIS") argument = points;
    if (argument.starts_with("FOLDER/")) argument = File(argument.substr(7));
    arguments.push_back(argument);
  }
  const ProgramResult result = Talweg(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, ::testing::StartsWith("talweg: error: "));
  for (const std::string& part : GetParam().message) EXPECT_THAT(result.err, HasSubstr(part));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(Names(), before);
}

const std::vector<std::string> kRoute = {"route", "SURFACE",   "--from-cell",
                                         "0,0",   "--to-cell", "1,1"};
std::vector<std::string> RouteWith(std::vector<std::string> more) {
  std::vector<std::string> arguments = kRoute;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, CliWrongUsage,
    ::testing::Values(
        Wrong{"NoCommand", {}, {"subcommand"}},
        Wrong{"UnknownCommand", {"matrx"}, {"unknown command matrx", "did you mean matrix?"}},
        Wrong{"MisspeltOption",
              {"matrix", "SURFACE", "--pios", "POIS"},
              {"unknown option --pios", "did you mean --pois?"}},
        Wrong{"MissingPois", {"matrix", "SURFACE"}, {"--pois"}},
        Wrong{"MissingSurface", {"matrix", "--pois", "POIS"}, {"SURFACE"}},
        Wrong{"AbsentSurface",
              {"matrix", "FOLDER/absent.tif", "--pois", "POIS"},
              {"absent.tif", "no such file"}},
        Wrong{"SurfaceIsNoRaster", {"matrix", "POIS", "--pois", "POIS"}, {"p.csv"}},
        Wrong{"AbsentPoints", {"matrix", "SURFACE", "--pois", "FOLDER/absent.csv"}, {"absent.csv"}},
        Wrong{"StoredSurfaceWithoutServer",
              {"route", "surfaces/dem", "--from-cell", "0,0", "--to-cell", "1,1"},
              {"--server"}},
        Wrong{"NoFrom", {"route", "SURFACE", "--to-cell", "1,1"}, {"--from-cell"}},
        Wrong{"NoTo", {"route", "SURFACE", "--from-cell", "1,1"}, {"--to-cell"}},
        Wrong{"CellIsNoPair",
              {"route", "SURFACE", "--from-cell", "1", "--to-cell", "1,1"},
              {"--from-cell", "\"1\"", "ROW,COL"}},
        Wrong{"CellIsNoWholeNumber",
              {"route", "SURFACE", "--from-cell", "1.5,2", "--to-cell", "1,1"},
              {"1.5,2"}},
        Wrong{"LongerMoves", RouteWith({"--neighbourhood", "16"}), {"4 or 8"}},
        Wrong{"OddNeighbourhood", RouteWith({"--neighbourhood", "7"}), {"4 or 8"}},
        Wrong{"Metres", RouteWith({"--units", "metres"}), {"cells or map"}},
        Wrong{"OddUnits", RouteWith({"--units", "furlongs"}), {"cells or map"}},
        Wrong{"OddStep", RouteWith({"--step", "max"}), {"mean or entry"}},
        Wrong{"Corners", RouteWith({"--corners", "forbid_any"}), {"allow"}},
        Wrong{"SnapWithoutUnit", RouteWith({"--snap", "5"}), {"5m for metres"}},
        Wrong{"NegativeMaxCost", RouteWith({"--max-cost", "-1"}), {"--max-cost", "\"-1\""}},
        Wrong{"TextAsMaxCost", RouteWith({"--max-cost", "lots"}), {"--max-cost", "\"lots\""}},
        Wrong{"ZeroSampling", RouteWith({"--sampling", "0,1"}), {"--sampling", "> 0"}},
        Wrong{"SamplingAndMap", RouteWith({"--sampling", "1,1", "--units", "map"}), {"--units"}},
        Wrong{"NoWorkers", RouteWith({"--workers", "0"}), {"--workers", "from 1"}},
        Wrong{"Band", RouteWith({"--band", "2"}), {"band"}},
        Wrong{"UnknownMatrixFormat",
              {"matrix", "SURFACE", "--pois", "POIS", "--out", "FOLDER/m.xlsx"},
              {"m.xlsx", ".csv, .npy or .json"}},
        Wrong{"UnknownPathFormat",
              {"matrix", "SURFACE", "--pois", "POIS", "--paths", "FOLDER/m.shp"},
              {".jsonl, .geojson or .gpkg"}},
        Wrong{"UnknownPictureFormat",
              {"matrix", "SURFACE", "--pois", "POIS", "--picture", "FOLDER/m.jpg"},
              {".png"}},
        Wrong{"UnwritableFolder",
              {"matrix", "SURFACE", "--pois", "POIS", "--out", "FOLDER/absent/m.csv"},
              {"folder does not exist"}},
        Wrong{"FieldWithoutSource", {"field", "SURFACE", "--out", "FOLDER/f.npy"}, {"--from-cell"}},
        Wrong{"FieldWithoutOut", {"field", "SURFACE", "--from-cell", "0,0"}, {"--out"}},
        Wrong{"StatusInNpy",
              {"field", "SURFACE", "--from-cell", "0,0", "--out", "FOLDER/f.npy", "--status"},
              {".tif"}},
        Wrong{"OddCoding",
              {"field", "SURFACE", "--from-cell", "0,0", "--out", "FOLDER/f.npy", "--backlink",
               "FOLDER/b.npy", "--backlink-coding", "arc"},
              {"talweg, skimage, grass, esri or whitebox"}},
        Wrong{"SurfaceCommandWithoutServer", {"surface", "list"}, {"--server"}}),
    [](const auto& row) { return row.param.name; });

TEST_F(Cli, DegreesAreNoLength) {
  GDALAllRegister();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  GDALDataset* dataset = driver->Create(File("deg.tif").c_str(), 4, 3, 1, GDT_Byte, nullptr);
  double geotransform[] = {9, 0.1, 0, 47, 0, -0.1};
  dataset->SetGeoTransform(geotransform);
  OGRSpatialReference reference;
  reference.importFromEPSG(4326);
  dataset->SetSpatialRef(&reference);
  dataset->GetRasterBand(1)->Fill(2);
  GDALClose(dataset);
  const std::vector<std::string> route = {"route",     File("deg.tif"), "--from-xy", "9.05,46.95",
                                          "--to-cell", "0,3",           "--json"};
  const ProgramResult refused = Talweg(route);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("degrees"), HasSubstr("--units cells"),
                                 HasSubstr("--sampling DY,DX")));
  std::vector<std::string> in_cells = route;
  in_cells.insert(in_cells.end(), {"--units", "cells"});
  EXPECT_EQ(Json::parse(Talweg(in_cells).out)["routes"][0]["cost"], 6);
  std::vector<std::string> sampled = route;
  sampled.insert(sampled.end(), {"--sampling", "11,7.5"});
  EXPECT_EQ(Json::parse(Talweg(sampled).out)["routes"][0]["cost"], 45);
}

TEST_F(Cli, AServerThatIsNotThereIsExit3) {
  const ProgramResult result = Talweg({"--server", "unix:" + File("absent.sock"), "route", Golden(),
                                       "--from-cell", "0,0", "--to-cell", "1,1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("absent.sock"));
}

// ---- Help and version -----------------------------------------------------------

TEST_F(Cli, HelpOfEachCommandHasUnitsAndAnExample) {
  for (const std::string command : {"matrix", "route", "field"}) {
    const ProgramResult result = Talweg({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, AllOf(HasSubstr("friction unit x length unit"), HasSubstr("Example"),
                                  HasSubstr("--server")));
    EXPECT_EQ(result.err, "");
  }
  for (const std::string command : {"put", "list", "show", "rm"}) {
    EXPECT_THAT(Talweg({"surface", command, "--help"}).out, HasSubstr("Example"));
  }
  EXPECT_THAT(Talweg({"--help"}).out, HasSubstr("Exit codes"));
}

TEST_F(Cli, VersionIsToldInBothForms) {
  EXPECT_THAT(Talweg({"version"}).out, ::testing::StartsWith("talweg "));
  EXPECT_TRUE(Json::parse(Talweg({"version", "--json"}).out).contains("version"));
}

// ---- Interrupts -----------------------------------------------------------------

TEST_F(Cli, AnInterruptEndsTheCallAndLeavesNothing) {
  const int n = 3000;
  const std::string surface = Ones(n);
  std::string points = "row,col\n";
  for (int i = 0; i < 40; ++i) {
    points += std::to_string(i * 70) + "," + std::to_string(n - 1 - i * 70) + "\n";
  }
  const std::string pois = Write("p.csv", points);
  test::RunningProgram program(
      "talweg", {"matrix", surface, "--pois", pois, "--out", File("m.csv"), "--paths",
                 File("p.gpkg"), "--progress", "--workers", "1"});
  // Until the search runs.
  for (int i = 0; i < 300 && program.ErrSoFar().find("search") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_THAT(program.ErrSoFar(), HasSubstr("search"));
  ASSERT_EQ(::kill(program.pid(), SIGINT), 0);
  const auto sent = std::chrono::steady_clock::now();
  const ProgramResult result = program.Wait();
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(5));
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("talweg: error: interrupted"));
  EXPECT_THAT(Names(), ElementsAre("ones.npy", "p.csv"));
}

}  // namespace
}  // namespace talweg
