// The surface of a query: read from a file and uploaded, or one a server has.
#ifndef TALWEG_CLI_SURFACE_ACCESS_H_
#define TALWEG_CLI_SURFACE_ACCESS_H_

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "command.h"
#include "query_options.h"
#include "reporter.h"
#include "talweg/client/client.h"
#include "talweg/client/private_server.h"
#include "talweg/formats/surface_frame.h"
#include "talweg/formats/surface_input.h"

namespace talweg::cli {

// A connection to the server named, or to a private one that ends with this
// object.
struct Connection {
  std::unique_ptr<client::PrivateServer> private_server;  // absent: --server
  std::unique_ptr<client::Client> client;
};

// UNAVAILABLE with the address when nobody answers.
absl::StatusOr<Connection> Connect(const std::string& server, int workers);

class SurfaceAccess {
 public:
  // Starts or reaches the server while the file is read; afterwards frame()
  // is known. Errors of the file, of the server, of the combination of both.
  static absl::StatusOr<std::unique_ptr<SurfaceAccess>> Open(const GlobalOptions& global,
                                                             const QueryOptions& options,
                                                             Reporter& reporter);
  // Removes what Publish stored on a server that goes on living.
  ~SurfaceAccess();

  const formats::SurfaceFrame& frame() const { return frame_; }
  // The file's name without its folder, or surfaces/ID.
  const std::string& display_name() const { return display_name_; }
  // The cells; absent for a surface that only the server has.
  const std::optional<formats::SurfaceInput>& input() const { return input_; }
  // In degrees, so that map units are no length.
  bool is_geographic() const { return frame_.crs.kind() == v1::CRS_KIND_GEOGRAPHIC; }

  // Uploads what was read; afterwards client() and surface_name() are there.
  absl::Status Publish(Reporter& reporter);

  client::Client& client() { return *connection_.client; }
  const std::string& surface_name() const { return surface_name_; }

 private:
  SurfaceAccess() = default;
  absl::Status ReadFile(const QueryOptions& options, Reporter& reporter);
  absl::Status LookUp(const GlobalOptions& global, const QueryOptions& options);

  std::future<absl::StatusOr<Connection>> connecting_;
  Connection connection_;
  bool is_temporary_ = false;  // uploaded to a server that outlives this run
  std::string surface_name_;
  std::string display_name_;
  formats::SurfaceFrame frame_;
  std::optional<formats::SurfaceInput> input_;
};

// Whether the text is the name of a stored surface: surfaces/ID[@REVISION].
bool IsStoredName(const std::string& text);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_SURFACE_ACCESS_H_
