// talweg field: accumulated cost from sources, cell by cell.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "command.h"
#include "interrupt.h"
#include "point_options.h"
#include "query_run.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/field_writer.h"
#include "text_table.h"

namespace talweg::cli {
namespace {

using formats::Json;

struct FieldOptions {
  QueryOptions query;
  PointOptions from;
  PointOptions to;
  std::string pois;
  std::string id_field;
  std::string out;
  std::string backlink;
  std::string coding = "talweg";
  std::string allocation;
  bool status = false;
};

absl::StatusOr<formats::FieldFiles> FilesOf(const FieldOptions& options) {
  formats::FieldFiles files;
  files.cost = options.out;
  files.status = options.status ? formats::StatusBand::kSecondBand : formats::StatusBand::kNone;
  files.back_links = options.backlink;
  TALWEG_ASSIGN_OR_RETURN(files.coding, formats::ParseBackLinkCoding(options.coding));
  files.allocation = options.allocation;
  TALWEG_RETURN_IF_ERROR(formats::CheckFieldFiles(files));
  return files;
}

absl::Status CheckOptions(const FieldOptions& options) {
  if (options.from.empty() == options.pois.empty()) {
    return options.pois.empty()
               ? MissingField("--from-cell",
                              "sources: --from-cell R,C, --from-xy X,Y or --pois FILE")
               : InvalidValue("--pois", options.pois,
                              "sources by --from-cell and --from-xy, or by --pois, not both");
  }
  TALWEG_ASSIGN_OR_RETURN(const Symmetry symmetry, ParseSymmetry(options.query));
  if (symmetry == Symmetry::kOn) {
    return InvalidValue("--symmetric", "on", "off: only a matrix can be symmetric");
  }
  return absl::OkStatus();
}

// Writes the blocks of an answer as they come.
class FieldReceiver {
 public:
  FieldReceiver(const formats::FieldFiles& files, const SurfaceAccess& access, Reporter& reporter)
      : files_(files), access_(access), reporter_(reporter) {}

  client::AnswerHandlers Handlers() {
    client::AnswerHandlers handlers;
    handlers.on_header = [this](const v1::AnswerHeader& part) {
      AppendHeader(part, header_);
      return absl::OkStatus();
    };
    handlers.on_field_block = [this](const v1::FieldBlock& block) { return Add(block); };
    handlers.on_pairs = [](const v1::PairBlock&) {
      return ProtocolError("pairs came in an answer about cells");
    };
    handlers.on_progress = [this](const v1::Progress& progress) {
      reporter_.Progress("search", static_cast<double>(progress.settled_cells()),
                         static_cast<double>(access_.frame().shape.cells()), "cells");
    };
    return handlers;
  }

  absl::Status Finish() {
    if (!writer_) return ProtocolError("the answer holds no cells");
    TALWEG_RETURN_IF_ERROR(writer_->Finish());
    if (Interrupted()) return absl::CancelledError("interrupted");
    return outputs_.Commit();
  }

  const v1::AnswerHeader& header() const { return header_; }

 private:
  absl::Status Add(const v1::FieldBlock& block) {
    if (!writer_) {  // the header is whole now
      const auto neighbourhood = header_.recipe().neighbourhood() == v1::NEIGHBOURHOOD_4
                                     ? Neighbourhood::kFour
                                     : Neighbourhood::kEight;
      TALWEG_ASSIGN_OR_RETURN(
          writer_, formats::FieldWriter::Open(files_, access_.frame(), neighbourhood,
                                              MakeProvenance(access_, header_), outputs_));
    }
    reporter_.Progress("write", static_cast<double>(block.first_cell()),
                       static_cast<double>(access_.frame().shape.cells()), "cells");
    return writer_->Add(block);
  }

  const formats::FieldFiles& files_;
  const SurfaceAccess& access_;
  Reporter& reporter_;
  v1::AnswerHeader header_;
  formats::OutputSet outputs_;
  std::optional<formats::FieldWriter> writer_;
};

std::string StopCauseName(v1::StopCause cause) {
  switch (cause) {
    case v1::STOP_CAUSE_COMPLETE:
      return "complete";
    case v1::STOP_CAUSE_DESTINATIONS_SETTLED:
      return "destinations_settled";
    case v1::STOP_CAUSE_MAX_COST:
      return "max_cost";
    default:
      return "unknown";
  }
}

Json SummaryJson(const SurfaceAccess& access, const v1::AnswerHeader& header,
                 const v1::FieldSummary& summary, const Reporter& reporter) {
  Json json = formats::ProvenanceToJson(MakeProvenance(access, header));
  json["stop_cause"] = StopCauseName(summary.stop_cause());
  json["reached_cells"] = summary.reached_cells();
  json["settled_cells"] = summary.settled_cells();
  json["destinations"] = Json::array();
  for (int i = 0; i < summary.destination_outcomes_size(); ++i) {
    const v1::Outcome outcome = summary.destination_outcomes(i);
    const bool ok = outcome == v1::OUTCOME_OK && i < summary.destination_costs_size();
    json["destinations"].push_back(
        Json{{"cost", ok ? Json(summary.destination_costs(i)) : Json(nullptr)},
             {"outcome", std::string(formats::OutcomeName(outcome))}});
  }
  json["warnings"] = reporter.warnings();
  return json;
}

std::string SummaryText(const SurfaceAccess& access, const v1::AnswerHeader& header,
                        const v1::FieldSummary& summary) {
  std::string text =
      absl::StrCat("reached ", summary.reached_cells(), " of ", access.frame().shape.cells(),
                   " cells (", StopCauseName(summary.stop_cause()), ")\n");
  if (summary.destination_outcomes_size() == 0) return text;
  TextTable table({"to (row,col)", "cost", "outcome"});
  table.AlignRight(1);
  for (int i = 0; i < summary.destination_outcomes_size(); ++i) {
    if (i >= header.destinations_size() || i >= summary.destination_costs_size()) break;
    const v1::CellPosition& cell = header.destinations(i).cell();
    const v1::Outcome outcome = summary.destination_outcomes(i);
    char cost[40];
    std::snprintf(cost, sizeof cost, "%.10g", summary.destination_costs(i));
    table.AddRow({absl::StrCat(cell.row(), ",", cell.col()), outcome == v1::OUTCOME_OK ? cost : "-",
                  std::string(formats::OutcomeName(outcome))});
  }
  return text + table.Text();
}

bool AllOk(const v1::AnswerHeader& header, const v1::FieldSummary& summary) {
  return std::all_of(header.sources().begin(), header.sources().end(),
                     [](const auto& r) { return r.outcome() == v1::POINT_OUTCOME_OK; }) &&
         std::all_of(summary.destination_outcomes().begin(), summary.destination_outcomes().end(),
                     [](const int outcome) { return outcome == v1::OUTCOME_OK; });
}

absl::StatusOr<ExitCode> RunField(const GlobalOptions& global, const FieldOptions& options) {
  Reporter reporter(VolumeOf(options.query), ProgressChoiceOf(options.query));
  TALWEG_RETURN_IF_ERROR(CheckOptions(options));
  v1::ComputeCostFieldRequest request;
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_recipe(), MakeRecipe(options.query));
  TALWEG_ASSIGN_OR_RETURN(const formats::FieldFiles files, FilesOf(options));
  request.set_include_back_links(!files.back_links.empty());
  request.set_include_allocation(!files.allocation.empty());
  if (!options.to.empty()) {
    TALWEG_ASSIGN_OR_RETURN(*request.mutable_destinations(), options.to.Parse());
  }
  TALWEG_ASSIGN_OR_RETURN(*request.mutable_sources(), options.from.Parse());

  TALWEG_ASSIGN_OR_RETURN(const auto access, SurfaceAccess::Open(global, options.query, reporter));
  TALWEG_RETURN_IF_ERROR(CheckUnits(*access, request.recipe()));
  if (!options.pois.empty()) {
    TALWEG_ASSIGN_OR_RETURN(
        *request.mutable_sources(),
        ReadPointFile(options.pois, access->frame().crs, options.id_field, reporter));
  }
  TALWEG_RETURN_IF_ERROR(access->Publish(reporter));
  request.mutable_recipe()->add_surfaces()->set_surface(access->surface_name());

  FieldReceiver receiver(files, *access, reporter);
  TALWEG_ASSIGN_OR_RETURN(
      const v1::FieldSummary summary,
      access->client().ComputeCostField(request, receiver.Handlers(), QueryCallOptions()));
  TALWEG_RETURN_IF_ERROR(receiver.Finish());
  reporter.ClearProgress();
  ReportHeader(receiver.header(), reporter);
  for (const std::string& warning : summary.warnings()) reporter.Warn(warning);

  const std::string text = options.query.json
                               ? SummaryJson(*access, receiver.header(), summary, reporter)
                                         .dump(2, ' ', false, Json::error_handler_t::replace) +
                                     "\n"
                               : SummaryText(*access, receiver.header(), summary);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return options.query.strict && !AllOk(receiver.header(), summary) ? ExitCode::kNotAllOk
                                                                    : ExitCode::kDone;
}

}  // namespace

void AddFieldCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<FieldOptions>();
  CLI::App* command =
      app.add_subcommand("field", "Accumulated cost from the nearest source, as a raster");
  AddQueryOptions(*command, options->query);
  options->from.AddTo(*command, "from", "A source,");
  command->add_option("--pois", options->pois, "Sources from a file of points, instead")
      ->option_text("FILE")
      ->group("Points");
  command->add_option("--id-field", options->id_field, "Column or field of the ids of --pois")
      ->option_text("NAME")
      ->group("Points");
  options->to.AddTo(*command, "to",
                    "Stop when this point and all others given are settled; a destination,");
  command
      ->add_option("--out", options->out,
                   "Accumulated cost, float64: .npy (+inf not reached, NaN impassable) or .tif "
                   "(NaN as nodata for both)")
      ->option_text("FILE")
      ->required()
      ->group("Output");
  command
      ->add_flag("--status", options->status,
                 "Second band of the .tif: 0 reached, 1 not reached, 2 impassable")
      ->group("Output");
  command
      ->add_option("--backlink", options->backlink,
                   "The move that enters each cell, .npy or .tif: 0 N, 1 E, 2 S, 3 W, 4 NE, "
                   "5 SE, 6 SW, 7 NW; 255 source, 254 not reached, 253 impassable")
      ->option_text("FILE")
      ->group("Output");
  command
      ->add_option("--backlink-coding", options->coding,
                   "Whose numbers --backlink holds (default talweg)")
      ->option_text("talweg|skimage|grass|esri|whitebox")
      ->group("Output");
  command
      ->add_option("--allocation", options->allocation,
                   "The source each cell is reached from, int32, .npy or .tif: its index among "
                   "the sources, -1 not reached")
      ->option_text("FILE")
      ->group("Output");
  SetQueryFooter(*command,
                 "Example: travel cost from two sources up to 5000, as a GeoTIFF:\n"
                 "  talweg field friction.tif --from-xy 444680,3971825 --from-xy 450000,3970000 "
                 "--max-cost 5000 --out cost.tif");
  command->callback([options, &invocation] {
    invocation.run = [options, &invocation] { return RunField(invocation.global, *options); };
  });
}

}  // namespace talweg::cli
