#include "tile_space.h"

#include <algorithm>

#include "talweg/base/status_macros.h"

namespace talweg {
namespace {

constexpr int64_t kTileCells = PaddedGrid::kTileSide * PaddedGrid::kTileSide;
constexpr uint16_t kLastSearch = std::numeric_limits<uint16_t>::max();

// Pages of far larger searches are given back once they pass this size and are
// this many times what the latest search needed. A tile of a wide surface
// holds up to eight times its own bytes, because its rows lie on pages of
// their own; the bound counts tiles.
constexpr int64_t kFreelyHeldTiles = 64;
constexpr int64_t kHeldPerNeeded = 4;

// Arrays up to this size are taken in two-megabyte pages at once.
constexpr size_t kSmallArrayBytes = size_t{64} << 20;

}  // namespace

uint64_t TileStorage::resident_bytes() const {
  return static_cast<uint64_t>(tiles_held * kTileCells) * 2 * sizeof(double);
}

void TileStorage::DiscardAll() {
  labels.Discard();
  frictions.Discard();
  expandable.Discard();
  std::fill(labelled.begin(), labelled.end(), uint16_t{0});
  std::fill(has_friction.begin(), has_friction.end(), uint8_t{0});
  tiles_of_search.clear();
  tiles_held = 0;
  search = 0;
}

template <class F>
absl::Status TileSpace<F>::Bind(const CostSurfaceView& surface, const FrictionRule& rule,
                                TileStorage& storage) {
  constexpr bool kNarrow = std::is_same_v<F, float>;
  const PaddedGrid grid(surface.shape());
  if (grid != storage.grid || storage.labels.data() == nullptr) {
    storage.grid = PaddedGrid();  // not bound, should one of these fail
    TALWEG_RETURN_IF_ERROR(storage.labels.Reset(grid.size()));
    TALWEG_RETURN_IF_ERROR(storage.frictions.Reset(grid.size()));
    TALWEG_RETURN_IF_ERROR(storage.expandable.Reset(grid.size() / PaddedGrid::kSegmentCells + 1));
    storage.labelled.assign(static_cast<size_t>(grid.tiles()), 0);
    storage.has_friction.assign(static_cast<size_t>(grid.tiles()), 0);
    storage.tiles_of_search.clear();
    storage.tiles_held = 0;
    storage.search = 0;
    storage.grid = grid;
  }
  const bool same_frictions = surface.identity() != kNoIdentity &&
                              surface.identity() == storage.identity && rule == storage.rule &&
                              kNarrow == storage.narrow;
  if (!same_frictions) {
    std::fill(storage.has_friction.begin(), storage.has_friction.end(), uint8_t{0});
    storage.identity = surface.identity();
    storage.rule = rule;
    storage.narrow = kNarrow;
  }
  return absl::OkStatus();
}

template <class F>
void TileSpace<F>::BeginSearch(bool expects_whole_surface) {
  const auto needed = static_cast<int64_t>(storage_.tiles_of_search.size());
  const bool holds_too_much = storage_.tiles_held > kFreelyHeldTiles &&
                              storage_.tiles_held > kHeldPerNeeded * needed &&
                              !expects_whole_surface;
  if (holds_too_much || storage_.search == kLastSearch) storage_.DiscardAll();
  ++storage_.search;
  storage_.tiles_of_search.clear();
  for (LazyArray<double>* array : {&storage_.labels, &storage_.frictions}) {
    array->SetHugePages(expects_whole_surface || array->size_bytes() <= kSmallArrayBytes);
  }
}

template <class F>
void TileSpace<F>::PrepareTile(PaddedIndex cell) {
  const Cell position = grid().CellOf(cell);
  const int64_t tile = grid().TileOf(position);
  PrepareAround(tile);
  // Every segment of the tile may be expanded from now on.
  ForEachRow(tile, [this](PaddedIndex begin, PaddedIndex end) {
    uint16_t* const segments = storage_.expandable.data();
    std::fill(segments + (begin >> PaddedGrid::kSegmentShift),
              segments + (end >> PaddedGrid::kSegmentShift), storage_.search);
  });
}

template <class F>
void TileSpace<F>::PrepareAround(int64_t tile) {
  const int64_t tile_row = tile / grid().tile_cols();
  const int64_t tile_col = tile % grid().tile_cols();
  for (int64_t r = std::max<int64_t>(tile_row - 1, 0);
       r <= std::min(tile_row + 1, grid().tile_rows() - 1); ++r) {
    for (int64_t c = std::max<int64_t>(tile_col - 1, 0);
         c <= std::min(tile_col + 1, grid().tile_cols() - 1); ++c) {
      Label(r * grid().tile_cols() + c);
    }
  }
}

template <class F>
void TileSpace<F>::PrepareAroundLabelled() {
  const std::vector<int64_t> tiles = storage_.tiles_of_search;
  for (const int64_t tile : tiles) PrepareAround(tile);
}

template <class F>
void TileSpace<F>::Label(int64_t tile) {
  const auto t = static_cast<size_t>(tile);
  if (IsLabelled(tile)) return;
  const bool first_use = storage_.labelled[t] == 0 && storage_.has_friction[t] == 0;
  const bool needs_friction = storage_.has_friction[t] == 0;
  ForEachRow(tile, [&](PaddedIndex begin, PaddedIndex end) {
    std::fill(labels() + begin, labels() + end, kNoLabel);
    if (needs_friction) FillFrictions(begin, end);
  });
  storage_.labelled[t] = storage_.search;
  storage_.has_friction[t] = 1;
  storage_.tiles_of_search.push_back(tile);
  if (first_use) ++storage_.tiles_held;
}

// Fills a run of one padded row: border and padding are impassable.
template <class F>
void TileSpace<F>::FillFrictions(PaddedIndex begin, PaddedIndex end) {
  const Shape& shape = grid().shape();
  const Cell start = grid().CellOf(begin);  // column -1 is the border
  const bool border_row = start.row < 0 || start.row >= shape.rows;
  const int64_t first = std::max<int64_t>(start.col, 0);
  const int64_t last = std::min(start.col + static_cast<int64_t>(end - begin), shape.cols);
  F* const run = frictions() + begin;
  std::fill(run, frictions() + end, std::numeric_limits<F>::infinity());
  if (!border_row && first < last) {
    source_->Read({start.row, first}, last - first, run + (first - start.col));
  }
}

template class TileSpace<float>;
template class TileSpace<double>;

}  // namespace talweg
