#include "surface_access.h"

#include <filesystem>
#include <random>

#include "interrupt.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::cli {
namespace {

constexpr std::string_view kStoredPrefix = "surfaces/";

std::string TemporaryId() {
  std::random_device random;
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id = "cli-";
  for (int i = 0; i < 16; ++i) id += kDigits[random() % kDigits.size()];
  return id;
}

client::CallOptions UntilInterrupted() {
  client::CallOptions options;
  options.cancelled = [] { return Interrupted(); };
  return options;
}

}  // namespace

bool IsStoredName(const std::string& text) { return text.starts_with(kStoredPrefix); }

absl::StatusOr<Connection> Connect(const std::string& server, int workers) {
  Connection connection;
  std::string address = server;
  if (server.empty()) {
    TALWEG_ASSIGN_OR_RETURN(connection.private_server,
                            client::PrivateServer::Start({.workers = workers}));
    address = connection.private_server->address();
  }
  TALWEG_ASSIGN_OR_RETURN(connection.client, client::Client::Connect(address));
  return connection;
}

absl::StatusOr<std::unique_ptr<SurfaceAccess>> SurfaceAccess::Open(const GlobalOptions& global,
                                                                   const QueryOptions& options,
                                                                   Reporter& reporter) {
  TALWEG_ASSIGN_OR_RETURN(const int workers, WorkerCount(options));
  if (workers > 0 && !global.server.empty()) {
    reporter.Warn("--workers is for the private server; the server at " + global.server +
                  " has its own number");
  }
  std::unique_ptr<SurfaceAccess> access(new SurfaceAccess());
  // A file of that name is a file unless a server was named.
  std::error_code error;
  const bool is_stored =
      IsStoredName(options.surface) &&
      (!global.server.empty() || !std::filesystem::exists(options.surface, error));
  if (is_stored && global.server.empty()) {
    return InvalidValue("SURFACE", options.surface,
                        "a raster file; the surfaces of a server need --server ADDR or "
                        "TALWEG_SERVER");
  }
  if (!is_stored && !std::filesystem::exists(options.surface, error) &&
      options.surface.find(':') == std::string::npos) {
    return formats::FileUnreadable(options.surface, "there is no such file");
  }
  access->is_temporary_ = !is_stored && !global.server.empty();
  // Starting a server and reading a file take about as long: at once.
  access->connecting_ = std::async(std::launch::async, &Connect, global.server, workers);
  TALWEG_RETURN_IF_ERROR(is_stored ? access->LookUp(global, options)
                                   : access->ReadFile(options, reporter));
  return access;
}

absl::Status SurfaceAccess::ReadFile(const QueryOptions& options, Reporter& reporter) {
  TALWEG_ASSIGN_OR_RETURN(const formats::RasterReadOptions raster, MakeRasterOptions(options));
  TALWEG_ASSIGN_OR_RETURN(input_, formats::ReadSurface(options.surface, raster));
  for (const std::string& warning : input_->warnings) reporter.Warn(warning);
  TALWEG_ASSIGN_OR_RETURN(frame_, formats::FrameOf(input_->description));
  display_name_ = std::filesystem::path(options.surface).filename().string();
  return absl::OkStatus();
}

absl::Status SurfaceAccess::LookUp(const GlobalOptions& /*global*/, const QueryOptions& options) {
  if (!options.band.empty()) {
    return InvalidValue("--band", options.band, "no --band: a stored surface is one band");
  }
  TALWEG_ASSIGN_OR_RETURN(connection_, connecting_.get());
  TALWEG_ASSIGN_OR_RETURN(const v1::Surface surface,
                          connection_.client->GetSurface(options.surface));
  TALWEG_ASSIGN_OR_RETURN(const formats::RasterReadOptions raster, MakeRasterOptions(options));
  if (raster.negative == v1::NEGATIVE_POLICY_ERROR && surface.statistics().negative_cells() > 0) {
    return InvalidValue("--negative", "error",
                        "a surface without negative cells; " + options.surface + " has " +
                            std::to_string(surface.statistics().negative_cells()));
  }
  TALWEG_ASSIGN_OR_RETURN(frame_, formats::FrameOf(surface.description()));
  surface_name_ = options.surface;
  display_name_ = options.surface;
  return absl::OkStatus();
}

absl::Status SurfaceAccess::Publish(Reporter& reporter) {
  if (!input_) return absl::OkStatus();  // it is there
  TALWEG_ASSIGN_OR_RETURN(connection_, connecting_.get());
  client::PutSurfaceRequest request;
  request.surface_id = is_temporary_ ? TemporaryId() : "input";
  request.description = input_->description;
  request.cells = input_->cells.view();
  request.on_progress = [&reporter](uint64_t sent_bytes, uint64_t total_bytes) {
    constexpr double kMegabyte = 1e6;
    reporter.Progress("upload", static_cast<double>(sent_bytes) / kMegabyte,
                      static_cast<double>(total_bytes) / kMegabyte, "MB");
  };
  // Known before the call: an upload that is interrupted may have been finished.
  surface_name_ = std::string(kStoredPrefix) + request.surface_id;
  TALWEG_ASSIGN_OR_RETURN(const v1::Surface surface,
                          connection_.client->PutSurface(request, UntilInterrupted()));
  for (const std::string& warning : surface.warnings()) reporter.Warn(warning);
  return absl::OkStatus();
}

SurfaceAccess::~SurfaceAccess() {
  // Nobody else knows the name; a failure leaves an unnamed surface behind,
  // which is the server's to expire.
  if (is_temporary_ && connection_.client && !surface_name_.empty()) {
    connection_.client->DeleteSurface(surface_name_).IgnoreError();
  }
}

}  // namespace talweg::cli
