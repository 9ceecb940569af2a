// Sizes and positions on a raster.
#ifndef TALWEG_GRID_SHAPE_H_
#define TALWEG_GRID_SHAPE_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace talweg {

// A raster's size. Row 0 is the top, column 0 the left.
struct Shape {
  int64_t rows = 0;
  int64_t cols = 0;

  int64_t cells() const { return rows * cols; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// A position on a raster, 0-based; may lie outside of it.
struct Cell {
  int64_t row = 0;
  int64_t col = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// Position of a cell in row-major order: row * cols + col.
using CellIndex = int64_t;

constexpr bool Contains(const Shape& shape, const Cell& cell) {
  return cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols;
}
constexpr CellIndex ToIndex(const Shape& shape, const Cell& cell) {
  return cell.row * shape.cols + cell.col;
}
constexpr Cell ToCell(const Shape& shape, CellIndex index) {
  return {index / shape.cols, index % shape.cols};
}

// Search queues address the cells of a surface and of a border of one cell
// around it by 32 bits: (rows + 2) * (cols + 2 + padding) stays below 2^32.
inline constexpr int64_t kMaxPaddedCells = 4'000'000'000;
// Padding a kernel may add to a row, so that rows are aligned.
inline constexpr int64_t kMaxRowPadding = 32;

// The shape of these sizes. SHAPE_OUT_OF_RANGE when a size is 0, or when
// (rows + 2) * (cols + 2 + kMaxRowPadding) exceeds kMaxPaddedCells, computed
// without overflow.
absl::StatusOr<Shape> MakeShape(uint64_t rows, uint64_t cols);

}  // namespace talweg

#endif  // TALWEG_GRID_SHAPE_H_
