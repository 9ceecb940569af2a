// The options all queries share, and the recipe they add up to.
#ifndef TALWEG_CLI_QUERY_OPTIONS_H_
#define TALWEG_CLI_QUERY_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reporter.h"
#include "talweg/formats/raster_reader.h"
#include "talweg/v1/recipe.pb.h"

namespace talweg::cli {

// As typed; checked by MakeRecipe and the like. Empty: not given.
struct QueryOptions {
  std::string surface;
  std::string band;
  std::vector<std::string> nodata;
  std::string nodata_friction;
  std::vector<std::string> barrier_values;
  std::string negative;
  std::string sampling;
  std::string units;
  std::string neighbourhood;
  std::string corners;
  std::string step;
  std::string snap;
  std::string max_cost;
  std::string symmetric;
  std::string workers;
  bool strict = false;
  bool quiet = false;
  bool progress = false;
  bool no_progress = false;
  bool json = false;
};

void AddQueryOptions(CLI::App& command, QueryOptions& options);

// The end of --help: units, server, and an example.
void SetQueryFooter(CLI::App& command, const std::string& example);

// --band, --nodata and --negative, as `surface put` has them too.
void AddRasterOptions(CLI::App& command, QueryOptions& options);

// Everything but the surface's name. INVALID_VALUE naming the option.
absl::StatusOr<v1::Recipe> MakeRecipe(const QueryOptions& options);

absl::StatusOr<formats::RasterReadOptions> MakeRasterOptions(const QueryOptions& options);

// --workers: 0 when it is not given.
absl::StatusOr<int> WorkerCount(const QueryOptions& options);

enum class Symmetry { kOff, kOn };
absl::StatusOr<Symmetry> ParseSymmetry(const QueryOptions& options);

Volume VolumeOf(const QueryOptions& options);
ProgressChoice ProgressChoiceOf(const QueryOptions& options);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_QUERY_OPTIONS_H_
