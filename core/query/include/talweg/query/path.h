// A least-cost path, packed: a start cell and one move per step.
#ifndef TALWEG_QUERY_PATH_H_
#define TALWEG_QUERY_PATH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/grid/neighbourhood.h"
#include "talweg/grid/shape.h"

namespace talweg {

struct Path {
  CellIndex start = 0;
  std::string steps;  // one byte per step: the code of the move; the wire format

  friend bool operator==(const Path&, const Path&) = default;
};

// The cells of a path, both ends included. PROTOCOL_ERROR when a code is no
// move or a cell lies outside `shape`.
absl::StatusOr<std::vector<Cell>> PathCells(const Path& path, const Shape& shape);

// The same cells in the opposite order. Precondition: PathCells(path) is OK.
Path ReversePath(const Path& path, const Shape& shape);

// Sum of the step lengths, added from the start on.
double PathLength(const Path& path, const StepLengths& lengths);

}  // namespace talweg

#endif  // TALWEG_QUERY_PATH_H_
