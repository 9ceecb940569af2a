#include "talweg/grid/shape.h"

#include <string>

#include "talweg/base/checked_math.h"
#include "talweg/base/errors.h"

namespace talweg {

absl::StatusOr<Shape> MakeShape(uint64_t rows, uint64_t cols) {
  const auto refuse = [&] {
    return ShapeOutOfRange(
        std::to_string(rows), std::to_string(cols),
        "rows >= 1, cols >= 1 and (rows + 2) * (cols + 34) <= " + std::to_string(kMaxPaddedCells));
  };
  static_assert(kMaxRowPadding == 32, "the message above says cols + 34");
  if (rows == 0 || cols == 0) return refuse();
  const auto padded_rows = CheckedAdd<uint64_t>(rows, 2);
  const auto padded_cols = CheckedAdd<uint64_t>(cols, 2 + kMaxRowPadding);
  if (!padded_rows || !padded_cols) return refuse();
  const auto padded_cells = CheckedMultiply(*padded_rows, *padded_cols);
  if (!padded_cells || *padded_cells > static_cast<uint64_t>(kMaxPaddedCells)) return refuse();
  return Shape{static_cast<int64_t>(rows), static_cast<int64_t>(cols)};
}

}  // namespace talweg
