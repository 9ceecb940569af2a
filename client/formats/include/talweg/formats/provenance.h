// How an output was made: what every file carries.
#ifndef TALWEG_FORMATS_PROVENANCE_H_
#define TALWEG_FORMATS_PROVENANCE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "talweg/formats/output_file.h"
#include "talweg/v1/recipe.pb.h"

namespace talweg::formats {

// JSON with its keys in the order they were put in.
using Json = nlohmann::ordered_json;

// A recipe in the words of the command line: {"surfaces": [...], "step":
// "mean", "neighbourhood": 8, ...}; limits and the like that are not set are null.
Json RecipeToJson(const v1::Recipe& recipe);

struct Provenance {
  std::string surface;  // "surfaces/ID", or the name of the file it was read from
  std::string revision;
  Json recipe;  // with defaults filled in
};

// {"talweg_version", "surface", "revision", "recipe"}.
Json ProvenanceToJson(const Provenance& provenance);

// The same as metadata items: TALWEG_VERSION, TALWEG_SURFACE, TALWEG_REVISION,
// TALWEG_RECIPE (JSON).
std::vector<std::pair<std::string, std::string>> ProvenanceItems(const Provenance& provenance);

// Stages FILE.json beside FILE, for formats without a place of their own for it.
absl::Status WriteSidecar(const std::string& path, const Provenance& provenance,
                          OutputSet& outputs);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_PROVENANCE_H_
