#include "query_options.h"

#include <cmath>

#include "command.h"
#include "interrupt.h"
#include "option_values.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::cli {
namespace {

constexpr char kHowLengths[] = "Lengths and units";
constexpr char kHowCosts[] = "What a step costs";
constexpr char kHowCells[] = "Which cells can be entered";
constexpr char kHowRun[] = "Running";

absl::Status SetStep(const std::string& text, v1::Recipe& recipe) {
  if (text.empty() || text == "mean") {
    recipe.mutable_mean();
  } else if (text == "entry") {
    recipe.mutable_entry();
  } else {
    return InvalidValue("--step", text, "mean or entry");
  }
  return absl::OkStatus();
}

absl::Status SetNeighbourhood(const std::string& text, v1::Recipe& recipe) {
  if (text.empty()) return absl::OkStatus();
  if (text == "4") {
    recipe.set_neighbourhood(v1::NEIGHBOURHOOD_4);
  } else if (text == "8") {
    recipe.set_neighbourhood(v1::NEIGHBOURHOOD_8);
  } else if (text == "16" || text == "32") {
    return InvalidValue("--neighbourhood", text, "4 or 8: this version has no longer moves yet");
  } else {
    return InvalidValue("--neighbourhood", text, "4 or 8");
  }
  return absl::OkStatus();
}

absl::Status SetCorners(const std::string& text, v1::Recipe& recipe) {
  if (text.empty()) return absl::OkStatus();
  if (text == "forbid_both" || text == "forbid_any") {
    return InvalidValue("--corners", text,
                        "allow: this version does not forbid diagonals at corners yet");
  }
  if (text != "allow") return InvalidValue("--corners", text, "allow");
  recipe.set_corners(v1::CORNERS_ALLOW);
  return absl::OkStatus();
}

absl::Status SetLengths(const QueryOptions& options, v1::Recipe& recipe) {
  if (options.units == "cells") {
    recipe.set_units(v1::LENGTH_UNIT_CELLS);
  } else if (options.units == "map") {
    recipe.set_units(v1::LENGTH_UNIT_MAP);
  } else if (options.units == "metres") {
    return InvalidValue("--units", options.units,
                        "cells or map: this version has no geodesic lengths yet; --sampling DY,DX "
                        "gives the cells a size in metres");
  } else if (!options.units.empty()) {
    return InvalidValue("--units", options.units, "cells or map");
  }
  if (options.sampling.empty()) return absl::OkStatus();
  constexpr std::string_view kExpected =
      "DY,DX: height and width of a cell, two finite numbers > 0, e.g. 30,30";
  TALWEG_ASSIGN_OR_RETURN(const auto sampling,
                          ParsePair("--sampling", options.sampling, kExpected));
  if (!(sampling.first > 0) || !(sampling.second > 0)) {
    return InvalidValue("--sampling", options.sampling, kExpected);
  }
  if (options.units == "map") {
    return InvalidValue("--units", options.units,
                        "no --units map beside --sampling: the sampling is the unit");
  }
  recipe.mutable_sampling()->set_dy(sampling.first);
  recipe.mutable_sampling()->set_dx(sampling.second);
  return absl::OkStatus();
}

absl::Status SetSnap(const std::string& text, v1::Recipe& recipe) {
  if (text.empty() || text == "none") return absl::OkStatus();
  constexpr std::string_view kExpected =
      "none, or a radius with its unit: 5m for metres, 5c for cells";
  const char unit = text.back();
  if (unit != 'm' && unit != 'c') return InvalidValue("--snap", text, kExpected);
  const auto radius =
      ParseNumber("--snap", std::string_view(text).substr(0, text.size() - 1), kExpected);
  if (!radius.ok() || !std::isfinite(*radius) || *radius < 0) {
    return InvalidValue("--snap", text, kExpected);
  }
  if (unit == 'm') {
    recipe.mutable_snap()->set_radius_m(*radius);
  } else {
    recipe.mutable_snap()->set_radius_cells(*radius);
  }
  return absl::OkStatus();
}

}  // namespace

CLI::Option* AddRepeatable(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                           const std::string& description) {
  return app.add_option(name, values, description)->allow_extra_args(false);
}

void SetQueryFooter(CLI::App& command, const std::string& example) {
  command.footer(
      "Costs are in friction unit x length unit; lengths in the length unit (--units).\n"
      "--server ADDR, before or after the command, asks a running server (default: TALWEG_SERVER,\n"
      "else a private server for this run).\n" +
      example);
}

void AddRasterOptions(CLI::App& command, QueryOptions& options) {
  command.add_option("--band", options.band, "Band of a raster file, from 1 (default 1)")
      ->option_text("N")
      ->group(kHowCells);
  AddRepeatable(command, "--nodata", options.nodata,
                "A value that means \"no value\", beside the file's own; repeatable")
      ->option_text("V")
      ->group(kHowCells);
  command
      .add_option("--negative", options.negative,
                  "Negative cells: barrier (default: impassable, with a warning) or error")
      ->option_text("barrier|error")
      ->group(kHowCells);
}

void AddQueryOptions(CLI::App& command, QueryOptions& options) {
  command
      .add_option("SURFACE", options.surface,
                  "Cost surface: a raster file, a .npy array, or with a server surfaces/ID or "
                  "surfaces/ID@REVISION. A cell holds friction: cost per unit of length")
      ->required();
  command
      .add_option("--step", options.step,
                  "mean (default): half the length times the sum of both frictions; entry: "
                  "the friction of the cell that is entered, length ignored")
      ->option_text("mean|entry")
      ->group(kHowCosts);
  command
      .add_option("--neighbourhood", options.neighbourhood, "Moves from a cell: 4 or 8 (default 8)")
      ->option_text("4|8")
      ->group(kHowCosts);
  command
      .add_option("--corners", options.corners,
                  "Diagonal steps between impassable corner cells: allow (default)")
      ->option_text("allow")
      ->group(kHowCosts);
  command
      .add_option("--max-cost", options.max_cost,
                  "Look no further than this accumulated cost, inclusive (friction unit x "
                  "length unit)")
      ->option_text("C")
      ->group(kHowCosts);
  command
      .add_option("--symmetric", options.symmetric,
                  "on: search each unordered pair of a matrix once, both entries are that "
                  "value; off (default): each entry is the search from its own source")
      ->option_text("off|on")
      ->group(kHowCosts);

  command
      .add_option("--units", options.units,
                  "Length unit: map (units of the CRS; default with a projected CRS) or cells "
                  "(a cell is 1 x 1; default without a CRS)")
      ->option_text("cells|map")
      ->group(kHowLengths);
  command
      .add_option("--sampling", options.sampling,
                  "Height and width of a cell, in a unit of yours, instead of the file's; "
                  "e.g. 30,30")
      ->option_text("DY,DX")
      ->group(kHowLengths);

  AddRasterOptions(command, options);
  command
      .add_option("--nodata-friction", options.nodata_friction,
                  "Friction of cells without a value (default: they are impassable)")
      ->option_text("F")
      ->group(kHowCells);
  AddRepeatable(command, "--barrier-values", options.barrier_values,
                "Values that are impassable, separated by commas; repeatable")
      ->option_text("V[,V...]")
      ->group(kHowCells);
  command
      .add_option("--snap", options.snap,
                  "Move points on impassable cells to the nearest passable one within a "
                  "radius: 5m in metres, 5c in cells (default none)")
      ->option_text("none|5m|5c")
      ->group(kHowCells);

  command
      .add_option("--workers", options.workers,
                  "Worker processes of the private server (default: one per core)")
      ->option_text("N")
      ->group(kHowRun);
  command.add_flag("--strict", options.strict, "Exit with 1 when some outcome is not ok")
      ->group(kHowRun);
  command.add_flag("--quiet", options.quiet, "No warnings and no progress bar")->group(kHowRun);
  command.add_flag("--progress", options.progress, "Show progress even when stderr is no terminal")
      ->group(kHowRun);
  command.add_flag("--no-progress", options.no_progress, "Never show progress")->group(kHowRun);
  command.add_flag("--json", options.json, "Print the answer as JSON on stdout")->group(kHowRun);
}

absl::StatusOr<v1::Recipe> MakeRecipe(const QueryOptions& options) {
  v1::Recipe recipe;
  TALWEG_RETURN_IF_ERROR(SetStep(options.step, recipe));
  TALWEG_RETURN_IF_ERROR(SetNeighbourhood(options.neighbourhood, recipe));
  TALWEG_RETURN_IF_ERROR(SetCorners(options.corners, recipe));
  TALWEG_RETURN_IF_ERROR(SetLengths(options, recipe));
  TALWEG_RETURN_IF_ERROR(SetSnap(options.snap, recipe));
  if (!options.max_cost.empty()) {
    TALWEG_ASSIGN_OR_RETURN(const double max_cost,
                            ParseNonNegative("--max-cost", options.max_cost));
    recipe.mutable_limits()->set_max_cost(max_cost);
  }
  TALWEG_ASSIGN_OR_RETURN(const auto nodata, ParseNumberLists("--nodata", options.nodata));
  for (const double value : nodata) {
    if (!std::isnan(value)) recipe.add_nodata(value);  // NaN means that anyway
  }
  if (!options.nodata_friction.empty()) {
    TALWEG_ASSIGN_OR_RETURN(const double friction,
                            ParseNonNegative("--nodata-friction", options.nodata_friction));
    recipe.set_nodata_friction(friction);
  }
  TALWEG_ASSIGN_OR_RETURN(const auto barriers,
                          ParseNumberLists("--barrier-values", options.barrier_values));
  for (const double value : barriers) recipe.add_barrier_values(value);
  return recipe;
}

absl::StatusOr<formats::RasterReadOptions> MakeRasterOptions(const QueryOptions& options) {
  formats::RasterReadOptions raster;
  raster.cancelled = [] { return Interrupted(); };
  if (!options.band.empty()) {
    constexpr std::string_view kExpected = "the number of a band, from 1";
    TALWEG_ASSIGN_OR_RETURN(const int64_t band, ParseWhole("--band", options.band, kExpected));
    if (band < 1 || band > 1'000'000) return InvalidValue("--band", options.band, kExpected);
    raster.band = static_cast<int>(band);
  }
  TALWEG_ASSIGN_OR_RETURN(raster.nodata, ParseNumberLists("--nodata", options.nodata));
  if (options.negative == "error") {
    raster.negative = v1::NEGATIVE_POLICY_ERROR;
  } else if (!options.negative.empty() && options.negative != "barrier") {
    return InvalidValue("--negative", options.negative, "barrier or error");
  }
  return raster;
}

absl::StatusOr<int> WorkerCount(const QueryOptions& options) {
  if (options.workers.empty()) return 0;
  constexpr std::string_view kExpected = "a number of worker processes from 1 to 1024";
  TALWEG_ASSIGN_OR_RETURN(const int64_t count, ParseWhole("--workers", options.workers, kExpected));
  if (count < 1 || count > 1024) return InvalidValue("--workers", options.workers, kExpected);
  return static_cast<int>(count);
}

absl::StatusOr<Symmetry> ParseSymmetry(const QueryOptions& options) {
  if (options.symmetric.empty() || options.symmetric == "off") return Symmetry::kOff;
  if (options.symmetric == "on") return Symmetry::kOn;
  return InvalidValue("--symmetric", options.symmetric, "off or on");
}

Volume VolumeOf(const QueryOptions& options) {
  return options.quiet ? Volume::kQuiet : Volume::kNormal;
}

ProgressChoice ProgressChoiceOf(const QueryOptions& options) {
  if (options.progress && !options.no_progress) return ProgressChoice::kAlways;
  return options.no_progress ? ProgressChoice::kNever : ProgressChoice::kOnTerminal;
}

}  // namespace talweg::cli
