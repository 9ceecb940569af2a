#include "query_run.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "interrupt.h"
#include "point_options.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/picture.h"
#include "talweg/query/path.h"

namespace talweg::cli {
namespace {

// What is impassable: the surface's own nodata values and the recipe's.
formats::PictureCells CellsOf(const formats::SurfaceInput& input, const v1::Recipe& recipe) {
  formats::PictureCells cells;
  cells.type = static_cast<ValueType>(input.description.value_type());
  cells.data = input.cells.data();
  for (const double value : input.description.nodata()) cells.rule.nodata.push_back(value);
  for (const double value : recipe.nodata()) cells.rule.nodata.push_back(value);
  for (const double value : recipe.barrier_values()) cells.rule.barrier_values.push_back(value);
  if (recipe.has_nodata_friction()) cells.rule.nodata_friction = recipe.nodata_friction();
  return cells;
}

using PointReports = google::protobuf::RepeatedPtrField<v1::PointReport>;

// The points of an answer, each once. Two lists that use the same ids for other
// cells are told apart by "from" and "to".
std::vector<formats::PicturePoint> PicturePoints(const v1::AnswerHeader& header) {
  std::map<std::string, Cell> sources;
  for (const v1::PointReport& report : header.sources()) {
    sources[report.id()] = {report.cell().row(), report.cell().col()};
  }
  const bool ambiguous = std::any_of(
      header.destinations().begin(), header.destinations().end(), [&](const auto& report) {
        const auto source = sources.find(report.id());
        return source != sources.end() &&
               !(source->second == Cell{report.cell().row(), report.cell().col()});
      });
  std::vector<formats::PicturePoint> points;
  std::set<std::string> seen;
  const auto add = [&](const PointReports& reports, const std::string& prefix) {
    for (const v1::PointReport& report : reports) {
      if (report.outcome() == v1::POINT_OUTCOME_OUTSIDE) continue;
      const std::string label = ambiguous ? prefix + report.id() : report.id();
      const Cell cell{report.cell().row(), report.cell().col()};
      if (seen.insert(absl::StrCat(cell.row, ",", cell.col, ",", label)).second) {
        points.push_back({cell, label});
      }
    }
  };
  add(header.sources(), "from ");
  add(header.destinations(), "to ");
  return points;
}

}  // namespace

absl::Status CheckUnits(const SurfaceAccess& access, const v1::Recipe& recipe) {
  if (!access.is_geographic() || recipe.has_sampling() || recipe.units() == v1::LENGTH_UNIT_CELLS) {
    return absl::OkStatus();
  }
  return MakeError(
      absl::StatusCode::kInvalidArgument,
      absl::StrCat(access.display_name(), ": its CRS (\"", access.frame().crs.name(),
                   "\") is in degrees, and a degree is no length; choose --units cells (a cell is "
                   "1 x 1), or --sampling DY,DX (its height and width in a unit of yours), or "
                   "reproject the raster to a projected CRS"),
      {.reason = "GEOGRAPHIC_UNITS",
       .field = "--units",
       .value = "map",
       .valid_range = "--units cells or --sampling DY,DX",
       .retry_delay = std::nullopt});
}

void AppendHeader(const v1::AnswerHeader& part, v1::AnswerHeader& header) {
  if (!header.has_recipe()) {
    header = part;
    return;
  }
  header.mutable_sources()->MergeFrom(part.sources());
  header.mutable_destinations()->MergeFrom(part.destinations());
}

void ReportHeader(const v1::AnswerHeader& header, Reporter& reporter) {
  for (const std::string& warning : header.warnings()) reporter.Warn(warning);
  ReportPoints(header.sources(), "source", reporter);
  ReportPoints(header.destinations(), "destination", reporter);
}

formats::Provenance MakeProvenance(const SurfaceAccess& access, const v1::AnswerHeader& header) {
  formats::Provenance provenance;
  provenance.surface = access.display_name();
  provenance.revision = header.revision();
  provenance.recipe = formats::RecipeToJson(header.recipe());
  if (access.input()) {
    // The name under which a file was uploaded means nothing afterwards.
    provenance.recipe["surfaces"][0]["surface"] = access.display_name();
  }
  return provenance;
}

client::AnswerHandlers HandlersFor(v1::AnswerHeader& header, formats::PairAnswer& answer,
                                   Reporter& reporter) {
  client::AnswerHandlers handlers;
  handlers.on_header = [&header](const v1::AnswerHeader& part) {
    AppendHeader(part, header);
    return absl::OkStatus();
  };
  handlers.on_pairs = [&answer](const v1::PairBlock& block) { return answer.Add(block); };
  handlers.on_field_block = [](const v1::FieldBlock&) {
    return ProtocolError("cells came in an answer about pairs");
  };
  handlers.on_progress = [&reporter](const v1::Progress& progress) {
    reporter.Progress("search", static_cast<double>(progress.finished()),
                      static_cast<double>(progress.total()),
                      absl::StrCat("pairs, ", progress.settled_cells() / 1000, "k cells settled"));
  };
  return handlers;
}

client::CallOptions QueryCallOptions() {
  client::CallOptions options;
  options.cancelled = [] { return Interrupted(); };
  return options;
}

absl::Status WriteAnswerPicture(const std::string& path, const SurfaceAccess& access,
                                const v1::AnswerHeader& header, const formats::PairAnswer& answer,
                                formats::OutputSet& outputs) {
  formats::Picture picture;
  picture.frame = access.frame();
  if (access.input()) picture.cells = CellsOf(*access.input(), header.recipe());
  picture.points = PicturePoints(header);
  for (const formats::PairResult& pair : answer.pairs()) {
    if (pair.outcome != v1::OUTCOME_OK || pair.path.steps.empty()) continue;
    TALWEG_ASSIGN_OR_RETURN(auto cells, PathCells(pair.path, picture.frame.shape));
    picture.paths.push_back(std::move(cells));
  }
  picture.title =
      absl::StrCat(access.display_name(), ": ", picture.points.size(),
                   picture.points.size() == 1 ? " point, " : " points, ", picture.paths.size(),
                   picture.paths.size() == 1 ? " least-cost path" : " least-cost paths");
  return formats::WritePicture(path, picture, MakeProvenance(access, header), outputs);
}

bool AllOk(const formats::PairAnswer& answer) {
  return std::all_of(answer.pairs().begin(), answer.pairs().end(),
                     [](const auto& pair) { return pair.outcome == v1::OUTCOME_OK; });
}

std::vector<std::string> IdsOf(const v1::PointList& points) {
  std::vector<std::string> ids;
  for (const v1::Point& point : points.points()) ids.push_back(point.id());
  return ids;
}

}  // namespace talweg::cli
