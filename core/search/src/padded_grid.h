// The address space of the kernels: the surface with a border of one cell, so
// that no step needs a bounds test, cut into tiles that exist once touched.
#ifndef TALWEG_SEARCH_PADDED_GRID_H_
#define TALWEG_SEARCH_PADDED_GRID_H_

#include <cstdint>

#include "talweg/grid/shape.h"

namespace talweg {

// Position in the padded arrays; 32 bits by the limit of MakeShape.
using PaddedIndex = uint32_t;

// Rows are `stride` cells apart: the columns, two border cells, and padding up
// to a whole number of segments. A stride that is a multiple of 256 would map
// vertical neighbours to the same cache sets, so it is never one.
class PaddedGrid {
 public:
  static constexpr int64_t kSegmentCells = 16;  // unit of the "is it ready" flags
  static constexpr int kSegmentShift = 4;
  static constexpr int64_t kTileSide = 64;  // padded rows and columns of a tile
  static constexpr int kTileShift = 6;

  PaddedGrid() = default;
  explicit PaddedGrid(Shape shape) : shape_(shape) {
    stride_ = (shape.cols + 2 + kSegmentCells - 1) / kSegmentCells * kSegmentCells;
    if (stride_ % 256 == 0) stride_ += kSegmentCells;
    tile_rows_ = (padded_rows() + kTileSide - 1) / kTileSide;
    tile_cols_ = (stride_ + kTileSide - 1) / kTileSide;
  }

  const Shape& shape() const { return shape_; }
  int64_t stride() const { return stride_; }
  int64_t padded_rows() const { return shape_.rows + 2; }
  int64_t size() const { return padded_rows() * stride_; }
  int64_t tile_rows() const { return tile_rows_; }
  int64_t tile_cols() const { return tile_cols_; }
  int64_t tiles() const { return tile_rows_ * tile_cols_; }

  PaddedIndex IndexOf(const Cell& cell) const {
    return static_cast<PaddedIndex>((cell.row + 1) * stride_ + cell.col + 1);
  }
  PaddedIndex IndexOf(CellIndex cell) const { return IndexOf(ToCell(shape_, cell)); }
  Cell CellOf(PaddedIndex index) const {
    return {static_cast<int64_t>(index) / stride_ - 1, static_cast<int64_t>(index) % stride_ - 1};
  }
  CellIndex CellIndexOf(PaddedIndex index) const { return ToIndex(shape_, CellOf(index)); }
  int64_t TileOf(const Cell& cell) const {
    return ((cell.row + 1) >> kTileShift) * tile_cols_ + ((cell.col + 1) >> kTileShift);
  }

  friend bool operator==(const PaddedGrid&, const PaddedGrid&) = default;

 private:
  Shape shape_;
  int64_t stride_ = 0;
  int64_t tile_rows_ = 0;
  int64_t tile_cols_ = 0;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_PADDED_GRID_H_
