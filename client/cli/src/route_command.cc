// talweg route: paths between points given on the command line.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "command.h"
#include "interrupt.h"
#include "point_options.h"
#include "query_run.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/output_format.h"
#include "talweg/formats/path_writer.h"
#include "text_table.h"

namespace talweg::cli {
namespace {

using formats::Json;

struct RouteOptions {
  QueryOptions query;
  PointOptions from;
  PointOptions to;
  std::vector<std::string> out;
  std::string picture;
};

absl::Status CheckOptions(const RouteOptions& options) {
  if (options.from.empty()) {
    return MissingField("--from-cell", "at least one --from-cell R,C or --from-xy X,Y");
  }
  if (options.to.empty()) {
    return MissingField("--to-cell", "at least one --to-cell R,C or --to-xy X,Y");
  }
  TALWEG_ASSIGN_OR_RETURN(const Symmetry symmetry, ParseSymmetry(options.query));
  if (symmetry == Symmetry::kOn) {
    return InvalidValue("--symmetric", "on", "off: only a matrix can be symmetric");
  }
  for (const std::string& path : options.out) {
    TALWEG_RETURN_IF_ERROR(formats::PathFormatOf(path).status());
    TALWEG_RETURN_IF_ERROR(formats::CheckWritable(path));
  }
  if (!options.picture.empty()) {
    TALWEG_RETURN_IF_ERROR(formats::CheckPictureFormat(options.picture));
    TALWEG_RETURN_IF_ERROR(formats::CheckWritable(options.picture));
  }
  return absl::OkStatus();
}

struct Answer {
  v1::AnswerHeader header;
  formats::PairAnswer pairs;
  formats::Provenance provenance;
};

Json PointJson(const v1::PointReport& report) {
  return Json{{"cell", {report.cell().row(), report.cell().col()}},
              {"xy", {report.xy().x(), report.xy().y()}}};
}

absl::StatusOr<Json> RouteJson(const formats::PairResult& pair, const Shape& shape) {
  Json route = Json::object();
  const bool ok = pair.outcome == v1::OUTCOME_OK;
  route["cost"] = ok ? Json(pair.cost) : Json(nullptr);
  route["length"] = ok ? Json(pair.length) : Json(nullptr);
  route["outcome"] = std::string(formats::OutcomeName(pair.outcome));
  route["cells"] = Json::array();
  if (!ok) return route;
  TALWEG_ASSIGN_OR_RETURN(const std::vector<Cell> cells, PathCells(pair.path, shape));
  for (const Cell& cell : cells) route["cells"].push_back({cell.row, cell.col});
  return route;
}

absl::StatusOr<Json> AnswerJson(const Answer& answer, const SurfaceAccess& access,
                                const Reporter& reporter) {
  Json json = formats::ProvenanceToJson(answer.provenance);
  json["routes"] = Json::array();
  for (int from = 0; from < answer.header.sources_size(); ++from) {
    for (int to = 0; to < answer.header.destinations_size(); ++to) {
      TALWEG_ASSIGN_OR_RETURN(const Json rest, RouteJson(answer.pairs.at(static_cast<size_t>(from),
                                                                         static_cast<size_t>(to)),
                                                         access.frame().shape));
      Json route = {{"from", PointJson(answer.header.sources(from))},
                    {"to", PointJson(answer.header.destinations(to))}};
      route.update(rest);
      json["routes"].push_back(std::move(route));
    }
  }
  json["warnings"] = reporter.warnings();
  return json;
}

// In what lengths are counted, for the head of a column.
std::string LengthUnit(const v1::Recipe& recipe, const v1::Crs& crs) {
  if (recipe.has_sampling()) return "unit of --sampling";
  if (recipe.units() == v1::LENGTH_UNIT_CELLS) return "cells";
  if (crs.linear_unit_m() == 1) return "m";
  return "map units";
}

std::string Position(const v1::PointReport& report) {
  return absl::StrCat(report.cell().row(), ",", report.cell().col());
}

std::string Significant(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string AnswerTable(const Answer& answer, const SurfaceAccess& access) {
  TextTable table({"from (row,col)", "to (row,col)", "cost",
                   "length (" + LengthUnit(answer.header.recipe(), access.frame().crs) + ")",
                   "steps", "outcome"});
  table.AlignRight(2);
  table.AlignRight(3);
  table.AlignRight(4);
  for (int from = 0; from < answer.header.sources_size(); ++from) {
    for (int to = 0; to < answer.header.destinations_size(); ++to) {
      const auto& pair = answer.pairs.at(static_cast<size_t>(from), static_cast<size_t>(to));
      const bool ok = pair.outcome == v1::OUTCOME_OK;
      table.AddRow({Position(answer.header.sources(from)), Position(answer.header.destinations(to)),
                    ok ? Significant(pair.cost) : "-", ok ? Significant(pair.length) : "-",
                    ok ? absl::StrCat(pair.path.steps.size()) : "-",
                    std::string(formats::OutcomeName(pair.outcome))});
    }
  }
  return table.Text();
}

absl::Status WriteFiles(const RouteOptions& options, const SurfaceAccess& access,
                        const Answer& answer) {
  formats::OutputSet outputs;
  for (const std::string& path : options.out) {
    TALWEG_RETURN_IF_ERROR(
        formats::WritePaths(path, answer.pairs, access.frame(), answer.provenance, outputs));
  }
  if (!options.picture.empty()) {
    TALWEG_RETURN_IF_ERROR(
        WriteAnswerPicture(options.picture, access, answer.header, answer.pairs, outputs));
  }
  if (Interrupted()) return absl::CancelledError("interrupted");
  return outputs.Commit();
}

absl::StatusOr<ExitCode> RunRoute(const GlobalOptions& global, const RouteOptions& options) {
  Reporter reporter(VolumeOf(options.query), ProgressChoiceOf(options.query));
  TALWEG_RETURN_IF_ERROR(CheckOptions(options));
  v1::FindRoutesRequest request;
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_recipe(), MakeRecipe(options.query));
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_sources(), options.from.Parse());
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_destinations(), options.to.Parse());

  TALWEG_ASSIGN_OR_RETURN(const auto access, SurfaceAccess::Open(global, options.query, reporter));
  TALWEG_RETURN_IF_ERROR(CheckUnits(*access, request.recipe()));
  TALWEG_RETURN_IF_ERROR(access->Publish(reporter));
  request.mutable_recipe()->add_surfaces()->set_surface(access->surface_name());

  Answer answer{
      {}, formats::PairAnswer(IdsOf(request.sources()), IdsOf(request.destinations())), {}};
  TALWEG_ASSIGN_OR_RETURN(
      const v1::AnswerSummary summary,
      access->client().FindRoutes(request, HandlersFor(answer.header, answer.pairs, reporter),
                                  QueryCallOptions()));
  TALWEG_RETURN_IF_ERROR(answer.pairs.CheckComplete());
  if (answer.header.sources_size() != request.sources().points_size() ||
      answer.header.destinations_size() != request.destinations().points_size()) {
    return ProtocolError("the answer does not report each point");
  }
  reporter.ClearProgress();
  ReportHeader(answer.header, reporter);
  for (const std::string& warning : summary.warnings()) reporter.Warn(warning);

  answer.provenance = MakeProvenance(*access, answer.header);
  TALWEG_RETURN_IF_ERROR(WriteFiles(options, *access, answer));
  std::string text;
  if (options.query.json) {
    TALWEG_ASSIGN_OR_RETURN(const Json json, AnswerJson(answer, *access, reporter));
    text = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  } else {
    text = AnswerTable(answer, *access);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return options.query.strict && !AllOk(answer.pairs) ? ExitCode::kNotAllOk : ExitCode::kDone;
}

}  // namespace

void AddRouteCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<RouteOptions>();
  CLI::App* command = app.add_subcommand(
      "route", "Least-cost paths from points to points: every from with every to");
  AddQueryOptions(*command, options->query);
  options->from.AddTo(*command, "from", "Where a path starts,");
  options->to.AddTo(*command, "to", "Where a path ends,");
  AddRepeatable(*command, "--out", options->out,
                "The paths as .jsonl, .geojson or .gpkg; repeatable")
      ->option_text("FILE")
      ->group("Output");
  command
      ->add_option("--picture", options->picture, "A picture of surface, paths and points, as .png")
      ->option_text("FILE")
      ->group("Output");
  SetQueryFooter(*command,
                 "Example: from one cell to two others, with a line for a GIS:\n"
                 "  talweg route friction.tif --from-cell 10,20 --to-cell 300,40 --to-cell 5,7 "
                 "--out paths.gpkg");
  command->callback([options, &invocation] {
    invocation.run = [options, &invocation] { return RunRoute(invocation.global, *options); };
  });
}

}  // namespace talweg::cli
