// talweg surface put|list|show|rm: the surfaces a server has.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "command.h"
#include "interrupt.h"
#include "query_options.h"
#include "reporter.h"
#include "surface_access.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/cost/value_type.h"
#include "talweg/formats/provenance.h"
#include "talweg/formats/raster_reader.h"
#include "text_table.h"

namespace talweg::cli {
namespace {

using formats::Json;

struct SurfaceOptions {
  QueryOptions raster;  // --band, --nodata, --negative, --quiet, --json and the like
  std::string id;
  std::string name;
  bool create_only = false;
};

absl::StatusOr<std::unique_ptr<client::Client>> Reach(const GlobalOptions& global,
                                                      std::string_view command) {
  if (global.server.empty()) {
    return MissingField("--server", "--server ADDR or TALWEG_SERVER: `talweg surface " +
                                        std::string(command) +
                                        "` is about the surfaces of a server that goes on running");
  }
  return client::Client::Connect(global.server);
}

// "dem" and "surfaces/dem" mean the same here.
std::string FullName(const std::string& name) {
  return IsStoredName(name) ? name : "surfaces/" + name;
}

std::string ValueTypeText(const v1::SurfaceDescription& description) {
  const int number = description.value_type();
  if (!IsValueType(number)) return "unknown";
  return std::string(ValueTypeName(static_cast<ValueType>(number)));
}

std::string CrsText(const v1::Crs& crs) {
  switch (crs.kind()) {
    case v1::CRS_KIND_PROJECTED:
      return crs.name().empty() ? "projected" : crs.name();
    case v1::CRS_KIND_GEOGRAPHIC:
      return crs.name().empty() ? "geographic" : crs.name();
    case v1::CRS_KIND_LOCAL:
      return crs.name().empty() ? "local" : crs.name();
    default:
      return "none";
  }
}

std::string CrsKindText(v1::CrsKind kind) {
  switch (kind) {
    case v1::CRS_KIND_PROJECTED:
      return "projected";
    case v1::CRS_KIND_GEOGRAPHIC:
      return "geographic";
    case v1::CRS_KIND_LOCAL:
      return "local";
    default:
      return "none";
  }
}

std::string TimeText(const v1::Surface& surface) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ",
                          absl::FromUnixSeconds(surface.publish_time().seconds()),
                          absl::UTCTimeZone());
}

Json SurfaceJson(const v1::Surface& surface) {
  const v1::SurfaceDescription& description = surface.description();
  const v1::SurfaceStatistics& statistics = surface.statistics();
  Json json{{"name", surface.name()},
            {"revision", surface.revision()},
            {"type", ValueTypeText(description)},
            {"rows", description.rows()},
            {"cols", description.cols()},
            {"size_bytes", surface.size_bytes()},
            {"publish_time", TimeText(surface)}};
  json["geotransform"] = Json::array();
  for (const double value : description.geotransform()) json["geotransform"].push_back(value);
  json["crs"] = {{"kind", CrsKindText(description.crs().kind())},
                 {"name", description.crs().name()},
                 {"wkt", description.crs().wkt()}};
  json["nodata"] = Json::array();
  for (const double value : description.nodata()) json["nodata"].push_back(value);
  json["negative"] = description.negative() == v1::NEGATIVE_POLICY_ERROR ? "error" : "barrier";
  json["statistics"] = {{"passable_cells", statistics.passable_cells()},
                        {"zero_cells", statistics.zero_cells()},
                        {"nodata_cells", statistics.nodata_cells()},
                        {"negative_cells", statistics.negative_cells()},
                        {"infinite_cells", statistics.infinite_cells()},
                        {"smallest_positive_friction", statistics.smallest_positive_friction()},
                        {"largest_friction", statistics.largest_friction()}};
  json["labels"] = Json::object();
  for (const auto& [key, value] : description.labels()) json["labels"][key] = value;
  json["warnings"] = Json::array();
  for (const std::string& warning : surface.warnings()) json["warnings"].push_back(warning);
  return json;
}

std::string SurfaceText(const v1::Surface& surface) {
  const v1::SurfaceDescription& description = surface.description();
  const v1::SurfaceStatistics& statistics = surface.statistics();
  TextTable table({"name", surface.name()});
  table.AddRow({"revision", surface.revision()});
  table.AddRow({"published", TimeText(surface)});
  table.AddRow({"cells", absl::StrCat(description.rows(), " rows x ", description.cols(),
                                      " columns, ", ValueTypeText(description))});
  table.AddRow({"size", absl::StrCat(surface.size_bytes(), " bytes")});
  table.AddRow({"CRS", CrsText(description.crs())});
  if (description.geotransform_size() == 6) {
    std::string text;
    for (const double value : description.geotransform()) {
      absl::StrAppend(&text, text.empty() ? "" : ", ", FormatNumber(value));
    }
    table.AddRow({"geotransform", text});
  }
  table.AddRow({"passable", absl::StrCat(statistics.passable_cells(), " cells, of which ",
                                         statistics.zero_cells(), " are free (0)")});
  table.AddRow({"impassable", absl::StrCat(statistics.nodata_cells(), " without a value, ",
                                           statistics.negative_cells(), " negative, ",
                                           statistics.infinite_cells(), " infinite")});
  table.AddRow({"friction", FormatNumber(statistics.smallest_positive_friction()) + " to " +
                                FormatNumber(statistics.largest_friction()) +
                                " (smallest positive to largest)"});
  return table.Text();
}

void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void Print(const Json& json) {
  Print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

absl::StatusOr<ExitCode> RunPut(const GlobalOptions& global, const SurfaceOptions& options) {
  Reporter reporter(VolumeOf(options.raster), ProgressChoiceOf(options.raster));
  TALWEG_ASSIGN_OR_RETURN(const auto client, Reach(global, "put"));
  TALWEG_ASSIGN_OR_RETURN(const auto raster_options, MakeRasterOptions(options.raster));
  TALWEG_ASSIGN_OR_RETURN(const formats::SurfaceInput input,
                          formats::ReadSurface(options.raster.surface, raster_options));
  for (const std::string& warning : input.warnings) reporter.Warn(warning);
  // What is replaced; not there, or another trouble that the upload will meet.
  const auto before = client->GetSurface(FullName(options.id));

  client::PutSurfaceRequest request;
  request.surface_id = options.id.starts_with("surfaces/") ? options.id.substr(9) : options.id;
  request.description = input.description;
  request.create_only = options.create_only;
  request.cells = input.cells.view();
  request.on_progress = [&reporter](uint64_t sent_bytes, uint64_t total_bytes) {
    reporter.Progress("upload", static_cast<double>(sent_bytes) / 1e6,
                      static_cast<double>(total_bytes) / 1e6, "MB");
  };
  client::CallOptions call;
  call.cancelled = [] { return Interrupted(); };
  TALWEG_ASSIGN_OR_RETURN(const v1::Surface surface, client->PutSurface(request, call));
  reporter.ClearProgress();
  for (const std::string& warning : surface.warnings()) reporter.Warn(warning);

  if (options.raster.json) {
    Json json = SurfaceJson(surface);
    json["replaced_revision"] = before.ok() ? Json(before->revision()) : Json(nullptr);
    Print(json);
    return ExitCode::kDone;
  }
  const std::string name = surface.name() + "@" + surface.revision();
  if (!before.ok()) {
    Print("published " + name + "\n");
  } else if (before->revision() == surface.revision()) {
    Print("published " + name + ", the same content as before\n");
  } else {
    Print("published " + name + ", a new revision; before it was " + before->revision() + "\n");
  }
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> RunList(const GlobalOptions& global, const SurfaceOptions& options) {
  TALWEG_ASSIGN_OR_RETURN(const auto client, Reach(global, "list"));
  TALWEG_ASSIGN_OR_RETURN(const auto surfaces, client->ListSurfaces());
  if (options.raster.json) {
    Json list = Json::array();
    for (const v1::Surface& surface : surfaces) list.push_back(SurfaceJson(surface));
    Print(Json{{"surfaces", list}});
    return ExitCode::kDone;
  }
  TextTable table({"name", "revision", "rows", "cols", "type", "CRS"});
  table.AlignRight(2);
  table.AlignRight(3);
  for (const v1::Surface& surface : surfaces) {
    const v1::SurfaceDescription& description = surface.description();
    table.AddRow({surface.name(), surface.revision(), absl::StrCat(description.rows()),
                  absl::StrCat(description.cols()), ValueTypeText(description),
                  CrsText(description.crs())});
  }
  Print(table.Text());
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> RunShow(const GlobalOptions& global, const SurfaceOptions& options) {
  TALWEG_ASSIGN_OR_RETURN(const auto client, Reach(global, "show"));
  TALWEG_ASSIGN_OR_RETURN(const v1::Surface surface, client->GetSurface(FullName(options.name)));
  options.raster.json ? Print(SurfaceJson(surface)) : Print(SurfaceText(surface));
  return ExitCode::kDone;
}

absl::StatusOr<ExitCode> RunRemove(const GlobalOptions& global, const SurfaceOptions& options) {
  TALWEG_ASSIGN_OR_RETURN(const auto client, Reach(global, "rm"));
  TALWEG_RETURN_IF_ERROR(client->DeleteSurface(FullName(options.name)));
  if (!options.raster.quiet) Print("removed " + FullName(options.name) + "\n");
  return ExitCode::kDone;
}

using Options = std::shared_ptr<SurfaceOptions>;
using Run = absl::StatusOr<ExitCode> (*)(const GlobalOptions&, const SurfaceOptions&);

CLI::App* AddAction(CLI::App& parent, const Options& options, const std::string& name,
                    const std::string& description) {
  CLI::App* action = parent.add_subcommand(name, description);
  action->fallthrough();
  action->add_flag("--json", options->raster.json, "Print JSON on stdout");
  action->add_flag("--quiet", options->raster.quiet, "No warnings and no progress bar");
  return action;
}

void SetRun(CLI::App& action, Invocation& invocation, const Options& options, Run run) {
  action.callback([options, &invocation, run] {
    invocation.run = [options, &invocation, run] { return run(invocation.global, *options); };
  });
}

}  // namespace

void AddSurfaceCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<SurfaceOptions>();
  CLI::App* command =
      app.add_subcommand("surface", "Store, list, show and remove the surfaces of a server");
  command->require_subcommand(1);

  CLI::App* put = AddAction(*command, options, "put",
                            "Store a raster file under an id; an id that exists gets a new "
                            "revision");
  put->add_option("ID", options->id, "Lower-case letters, digits and hyphens, at most 63")
      ->required();
  put->add_option("FILE", options->raster.surface, "A raster file or a .npy array")->required();
  put->add_flag("--create-only", options->create_only, "Fail when the id exists");
  AddRasterOptions(*put, options->raster);
  put->footer("Example:\n  talweg --server localhost:7431 surface put dem friction.tif");
  SetRun(*put, invocation, options, &RunPut);

  CLI::App* list = AddAction(*command, options, "list", "The surfaces of a server");
  list->footer("Example:\n  talweg --server localhost:7431 surface list --json");
  SetRun(*list, invocation, options, &RunList);

  CLI::App* show = AddAction(*command, options, "show",
                             "What is known of a surface: size in cells, CRS, counts of cells, "
                             "range of frictions (cost per unit of length)");
  show->add_option("NAME", options->name, "ID, surfaces/ID or surfaces/ID@REVISION")->required();
  show->footer("Example:\n  talweg --server localhost:7431 surface show dem");
  SetRun(*show, invocation, options, &RunShow);

  CLI::App* remove = AddAction(*command, options, "rm",
                               "Remove a surface; requests under way keep it until they end");
  remove->add_option("NAME", options->name, "ID or surfaces/ID")->required();
  remove->footer("Example:\n  talweg --server localhost:7431 surface rm dem");
  SetRun(*remove, invocation, options, &RunRemove);
}

}  // namespace talweg::cli
