// talweg matrix: costs, lengths and paths between points of interest.
#include <cstdio>
#include <memory>

#include "command.h"
#include "interrupt.h"
#include "point_options.h"
#include "query_run.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/matrix_writer.h"
#include "talweg/formats/output_format.h"
#include "talweg/formats/path_writer.h"

namespace talweg::cli {
namespace {

struct MatrixOptions {
  QueryOptions query;
  std::string pois;
  std::string to;
  std::string id_field;
  std::vector<std::string> out;
  std::vector<std::string> paths;
  std::string picture;

  bool wants_paths() const { return !paths.empty() || !picture.empty(); }
};

absl::Status CheckOutputs(const MatrixOptions& options) {
  for (const std::string& path : options.out) {
    TALWEG_RETURN_IF_ERROR(formats::MatrixFormatOf(path).status());
    TALWEG_RETURN_IF_ERROR(formats::CheckWritable(path));
  }
  for (const std::string& path : options.paths) {
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

absl::Status WriteFiles(const MatrixOptions& options, const SurfaceAccess& access,
                        const Answer& answer, const Reporter& reporter) {
  formats::OutputSet outputs;
  for (const std::string& path : options.out) {
    TALWEG_RETURN_IF_ERROR(
        formats::WriteMatrix(path, answer.pairs, answer.provenance, reporter.warnings(), outputs));
  }
  for (const std::string& path : options.paths) {
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

void Print(const MatrixOptions& options, const Answer& answer, const Reporter& reporter) {
  std::string text;
  if (options.query.json) {
    text = formats::MatrixJson(answer.pairs, answer.provenance, reporter.warnings())
               .dump(2, ' ', false, formats::Json::error_handler_t::replace) +
           "\n";
  } else if (options.out.empty()) {
    text = formats::MatrixCsv(answer.pairs);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

absl::StatusOr<ExitCode> RunMatrix(const GlobalOptions& global, const MatrixOptions& options) {
  Reporter reporter(VolumeOf(options.query), ProgressChoiceOf(options.query));
  v1::ComputeMatrixRequest request;
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_recipe(), MakeRecipe(options.query));
  TALWEG_ASSIGN_OR_RETURN(const Symmetry symmetry, ParseSymmetry(options.query));
  request.set_symmetric(symmetry == Symmetry::kOn);
  request.set_include_paths(options.wants_paths());
  TALWEG_RETURN_IF_ERROR(CheckOutputs(options));

  TALWEG_ASSIGN_OR_RETURN(const auto access, SurfaceAccess::Open(global, options.query, reporter));
  TALWEG_RETURN_IF_ERROR(CheckUnits(*access, request.recipe()));
  const v1::Crs& crs = access->frame().crs;
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_sources(),
                          ReadPointFile(options.pois, crs, options.id_field, reporter));
  if (!options.to.empty()) {
    TALWEG_ASSIGN_OR_RETURN(*request.mutable_destinations(),
                            ReadPointFile(options.to, crs, options.id_field, reporter));
  }
  TALWEG_RETURN_IF_ERROR(access->Publish(reporter));
  request.mutable_recipe()->add_surfaces()->set_surface(access->surface_name());

  const v1::PointList& to = options.to.empty() ? request.sources() : request.destinations();
  Answer answer{{}, formats::PairAnswer(IdsOf(request.sources()), IdsOf(to)), {}};
  TALWEG_ASSIGN_OR_RETURN(
      const v1::AnswerSummary summary,
      access->client().ComputeMatrix(request, HandlersFor(answer.header, answer.pairs, reporter),
                                     QueryCallOptions()));
  TALWEG_RETURN_IF_ERROR(answer.pairs.CheckComplete());
  reporter.ClearProgress();
  // A matrix among its own points lists them once.
  if (options.to.empty()) {
    v1::AnswerHeader once = answer.header;
    once.clear_destinations();
    for (const std::string& warning : once.warnings()) reporter.Warn(warning);
    ReportPoints(once.sources(), "point", reporter);
  } else {
    ReportHeader(answer.header, reporter);
  }
  for (const std::string& warning : summary.warnings()) reporter.Warn(warning);

  answer.provenance = MakeProvenance(*access, answer.header);
  answer.provenance.recipe["symmetric"] = symmetry == Symmetry::kOn ? "on" : "off";
  TALWEG_RETURN_IF_ERROR(WriteFiles(options, *access, answer, reporter));
  Print(options, answer, reporter);
  return options.query.strict && !AllOk(answer.pairs) ? ExitCode::kNotAllOk : ExitCode::kDone;
}

}  // namespace

void AddMatrixCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<MatrixOptions>();
  CLI::App* command = app.add_subcommand(
      "matrix", "Costs and paths between points of interest: every one with every other");
  AddQueryOptions(*command, options->query);
  command
      ->add_option("--pois", options->pois,
                   "Points of interest: a CSV file with columns row,col or x,y or lon,lat and "
                   "optionally id, or any layer of points OGR reads")
      ->option_text("FILE")
      ->required()
      ->group("Points");
  command->add_option("--to", options->to, "Destinations, if they are other points than --pois")
      ->option_text("FILE")
      ->group("Points");
  command
      ->add_option("--id-field", options->id_field,
                   "Column or field of the ids (default id, for layers else name, else the "
                   "feature id)")
      ->option_text("NAME")
      ->group("Points");
  AddRepeatable(*command, "--out", options->out,
                "The matrix as .csv, .npy or .json; repeatable (default: csv on stdout)")
      ->option_text("FILE")
      ->group("Output");
  AddRepeatable(*command, "--paths", options->paths,
                "The paths as .jsonl, .geojson or .gpkg; repeatable")
      ->option_text("FILE")
      ->group("Output");
  command
      ->add_option("--picture", options->picture, "A picture of surface, paths and points, as .png")
      ->option_text("FILE")
      ->group("Output");
  SetQueryFooter(*command,
                 "Example: 20 huts on a friction raster, as a table, lines and a picture:\n"
                 "  talweg matrix friction.tif --pois huts.gpkg --out costs.csv --paths paths.gpkg "
                 "--picture map.png");
  command->callback([options, &invocation] {
    invocation.run = [options, &invocation] { return RunMatrix(invocation.global, *options); };
  });
}

}  // namespace talweg::cli
