// The arrays of a search: labels and frictions over a padded grid, made tile
// by tile as the search reaches them.
#ifndef TALWEG_SEARCH_TILE_SPACE_H_
#define TALWEG_SEARCH_TILE_SPACE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "friction_source.h"
#include "lazy_array.h"
#include "padded_grid.h"
#include "talweg/cost/friction.h"

namespace talweg {

inline constexpr double kNoLabel = std::numeric_limits<double>::infinity();

// The memory, kept from request to request. Tiles carry the number of the
// search that last reset their labels, so that a new search resets nothing but
// the tiles it reaches; frictions of a tile outlive searches as long as the
// same surface is read by the same rule.
struct TileStorage {
  PaddedGrid grid;
  LazyArray<double> labels;
  LazyArray<double> frictions;           // of F; sized for the larger
  LazyArray<uint16_t> expandable;        // per segment: the search that may expand here
  std::vector<uint16_t> labelled;        // per tile: the search whose labels it holds
  std::vector<uint8_t> has_friction;     // per tile
  std::vector<int64_t> tiles_of_search;  // labelled by the present search
  int64_t tiles_held = 0;                // tiles whose pages hold something
  uint16_t search = 0;

  // What has_friction speaks of.
  SurfaceIdentity identity = kNoIdentity;
  FrictionRule rule;
  bool narrow = false;

  uint64_t resident_bytes() const;
  // Gives all pages back and forgets every tile.
  void DiscardAll();
};

template <class F>
class TileSpace {
 public:
  // Binds the storage to a surface. `rule` includes the surface's own nodata.
  // OUT_OF_MEMORY.
  static absl::Status Bind(const CostSurfaceView& surface, const FrictionRule& rule,
                           TileStorage& storage);

  // Storage must be bound to this surface and rule.
  TileSpace(const CostSurfaceView& surface, const FrictionRule& rule, TileStorage& storage)
      : storage_(storage), source_(MakeFrictionSource<F>(surface, rule)) {}

  // Starts a search: no cell has a label.
  void BeginSearch(bool expects_whole_surface);

  const PaddedGrid& grid() const { return storage_.grid; }
  double* labels() { return storage_.labels.data(); }
  const double* labels() const { return storage_.labels.data(); }
  F* frictions() { return reinterpret_cast<F*>(storage_.frictions.data()); }
  const F* frictions() const { return reinterpret_cast<const F*>(storage_.frictions.data()); }

  // Makes the cell and its eight neighbours valid in labels() and frictions().
  void Prepare(PaddedIndex cell) {
    if (storage_.expandable.data()[cell >> PaddedGrid::kSegmentShift] != storage_.search)
        [[unlikely]] {
      PrepareTile(cell);
    }
  }

  // Label of a cell of the surface; kNoLabel where the search never came.
  double LabelAt(const Cell& cell) const {
    if (!IsLabelled(grid().TileOf(cell))) return kNoLabel;
    return labels()[grid().IndexOf(cell)];
  }

  double FrictionAt(const Cell& cell) const {
    F friction;
    source_->Read(cell, 1, &friction);
    return static_cast<double>(friction);
  }

  bool IsLabelled(int64_t tile) const {
    return storage_.labelled[static_cast<size_t>(tile)] == storage_.search;
  }
  // Tiles that hold labels of this search, in the order they were reached.
  const std::vector<int64_t>& labelled_tiles() const { return storage_.tiles_of_search; }

  // Calls f(begin, end) with the padded indices of each row of a tile.
  template <class RowFunction>
  void ForEachRow(int64_t tile, const RowFunction& f) const {
    const int64_t first_row = (tile / grid().tile_cols()) << PaddedGrid::kTileShift;
    const int64_t first_col = (tile % grid().tile_cols()) << PaddedGrid::kTileShift;
    const int64_t last_row = std::min(first_row + PaddedGrid::kTileSide, grid().padded_rows());
    const int64_t last_col = std::min(first_col + PaddedGrid::kTileSide, grid().stride());
    for (int64_t row = first_row; row < last_row; ++row) {
      f(static_cast<PaddedIndex>(row * grid().stride() + first_col),
        static_cast<PaddedIndex>(row * grid().stride() + last_col));
    }
  }

  // Makes everything around the labelled tiles valid, so that neighbours of
  // any labelled cell may be read without Prepare().
  void PrepareAroundLabelled();

  // Frictions of a run of cells of a row, straight from the surface.
  void ReadFrictions(const Cell& start, int64_t count, F* frictions) const {
    source_->Read(start, count, frictions);
  }

 private:
  void PrepareTile(PaddedIndex cell);
  void PrepareAround(int64_t tile);
  void Label(int64_t tile);
  void FillFrictions(PaddedIndex begin, PaddedIndex end);

  TileStorage& storage_;
  std::unique_ptr<FrictionSource<F>> source_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_TILE_SPACE_H_
