#include "talweg/query/path.h"

#include <algorithm>

#include "talweg/base/errors.h"

namespace talweg {

absl::StatusOr<std::vector<Cell>> PathCells(const Path& path, const Shape& shape) {
  if (path.start < 0 || path.start >= shape.cells()) {
    return ProtocolError("a path starts outside of its surface");
  }
  std::vector<Cell> cells = {ToCell(shape, path.start)};
  cells.reserve(path.steps.size() + 1);
  for (const char byte : path.steps) {
    const auto code = static_cast<size_t>(static_cast<unsigned char>(byte));
    if (code >= kSteps.size()) return ProtocolError("a path holds a code that is no move");
    const Cell next = {cells.back().row + kSteps[code].row, cells.back().col + kSteps[code].col};
    if (!Contains(shape, next)) return ProtocolError("a path leaves its surface");
    cells.push_back(next);
  }
  return cells;
}

Path ReversePath(const Path& path, const Shape& shape) {
  // N and S, E and W, NE and SW, SE and NW.
  constexpr std::array<char, 8> kOpposite = {2, 3, 0, 1, 6, 7, 4, 5};
  Path reversed{.start = path.start, .steps = path.steps};
  for (char& code : reversed.steps) {
    const auto move = static_cast<size_t>(code);
    reversed.start += kSteps[move].row * shape.cols + kSteps[move].col;
    code = kOpposite[move];
  }
  std::reverse(reversed.steps.begin(), reversed.steps.end());
  return reversed;
}

double PathLength(const Path& path, const StepLengths& lengths) {
  const StepLengthTable by_code = LengthsByCode(lengths);
  double length = 0;
  for (const char code : path.steps) length += by_code[static_cast<size_t>(code)];
  return length;
}

}  // namespace talweg
