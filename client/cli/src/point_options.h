// Points given on the command line or in files.
#ifndef TALWEG_CLI_POINT_OPTIONS_H_
#define TALWEG_CLI_POINT_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reporter.h"
#include "talweg/v1/path.pb.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::cli {

// --from-cell and --from-xy (or --to-...), in the order they were typed.
class PointOptions {
 public:
  // `prefix` is "from" or "to"; `what` completes "A ...", for --help.
  void AddTo(CLI::App& command, const std::string& prefix, const std::string& what);
  bool empty() const { return typed_.empty(); }
  // Ids are 0, 1, 2 ...
  absl::StatusOr<v1::PointList> Parse() const;

 private:
  struct Typed {
    std::string option;
    std::string value;
  };
  std::vector<Typed> typed_;
};

// The points of a file, with its warnings said.
absl::StatusOr<v1::PointList> ReadPointFile(const std::string& path, const v1::Crs& surface_crs,
                                            const std::string& id_field, Reporter& reporter);

// Warns of points that landed outside or on impassable cells, by name. (That
// no point is good at all is a warning of the server's.)
void ReportPoints(const google::protobuf::RepeatedPtrField<v1::PointReport>& reports,
                  const std::string& what, Reporter& reporter);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_POINT_OPTIONS_H_
