// The paths of an answer, one after the other.
#ifndef TALWEG_FORMATS_SRC_NAMED_PATHS_H_
#define TALWEG_FORMATS_SRC_NAMED_PATHS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "talweg/formats/pair_answer.h"
#include "talweg/grid/shape.h"

namespace talweg::formats {

// A path with outcome ok, and whose it is.
struct NamedPath {
  const std::string& from_id;
  const std::string& to_id;
  const PairResult& pair;
  const std::vector<Cell>& cells;
};

// Visits them row-major; stops at the first failure.
absl::Status ForEachPath(const PairAnswer& answer, const Shape& shape,
                         const std::function<absl::Status(const NamedPath&)>& visit);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_NAMED_PATHS_H_
