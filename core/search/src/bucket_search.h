// The production kernel: batched label-correcting search.
//
//   label[v] = min over u of (label[u] + step(u, v))
//
// Takes all entries of the lowest bucket at once, drops the stale ones, stages
// the improvements of their neighbours in chunks that stay in cache, commits
// and queues them. The order of relaxations is free: the least fixpoint is
// unique (see oracle.h), so the labels below the queue's floor are final and
// equal to the oracle's.
//
// About 1.1 relaxations per cell on ordinary surfaces; 8 bytes of label and 4
// or 8 of friction per touched cell. Exact for frictions >= 0. Sources: delta
// stepping (Meyer & Sanders 2003), radix heaps (Ahuja et al. 1990).
//
// Policies: the relaxer (steps and costs), the queue, the stop rule.
#ifndef TALWEG_SEARCH_BUCKET_SEARCH_H_
#define TALWEG_SEARCH_BUCKET_SEARCH_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "adaptive_bucket_queue.h"
#include "stop_rule.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/base/stop_token.h"
#include "tile_space.h"

namespace talweg {

// Staging of one chunk; reused from search to search.
struct SearchBuffers {
  static constexpr uint32_t kChunk = 2048;  // entries; staging stays in L2

  EntryList batch;
  std::vector<PaddedIndex> live = std::vector<PaddedIndex>(kChunk);
  std::vector<PaddedIndex> cells = std::vector<PaddedIndex>(kChunk * 8 + 8);
  std::vector<double> labels = std::vector<double>(kChunk * 8 + 8);
};

// Counts the distinct cells a search relaxed, for the work limit. The bitmap
// is made only when there is a limit.
class CellBudget {
 public:
  // OUT_OF_MEMORY.
  absl::Status Limit(const PaddedGrid& grid, uint64_t max_cells) {
    max_cells_ = max_cells;
    return limited() ? seen_.Reset(grid.size() / 64 + 1) : absl::OkStatus();
  }
  bool limited() const { return max_cells_ != kNoMaxCells; }
  void Count(PaddedIndex cell) {
    uint64_t& word = seen_.data()[cell / 64];
    const uint64_t bit = uint64_t{1} << (cell % 64);
    distinct_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  // Whether the answer may hold more cells than allowed: some of the relaxed
  // ones may turn out to lie beyond its bound.
  bool MayBeExceeded() const { return distinct_ > max_cells_; }
  // CELL_LIMIT when an answer of `cells` cells is too much.
  absl::Status Check(uint64_t cells) const {
    return cells > max_cells_ ? CellLimitReached(cells, max_cells_) : absl::OkStatus();
  }

 private:
  uint64_t max_cells_ = kNoMaxCells;
  uint64_t distinct_ = 0;
  LazyArray<uint64_t> seen_;
};

// Number of labels of this search for which `holds(label)`.
template <class F, class Predicate>
uint64_t CountLabels(const TileSpace<F>& space, const Predicate& holds) {
  uint64_t count = 0;
  for (const int64_t tile : space.labelled_tiles()) {
    space.ForEachRow(tile, [&](PaddedIndex begin, PaddedIndex end) {
      for (PaddedIndex i = begin; i < end; ++i) count += holds(space.labels()[i]) ? 1U : 0U;
    });
  }
  return count;
}

struct BucketSearchEnd {
  bool exhausted = false;  // nothing was pending any more
  uint64_t relaxed_cells = 0;
};

// Runs from the entries in `queue`. Errors: CANCELLED, DEADLINE_EXCEEDED,
// CELL_LIMIT.
template <class F, class Relaxer>
absl::StatusOr<BucketSearchEnd> RunBucketSearch(TileSpace<F>& space, const Relaxer& relaxer,
                                                AdaptiveBucketQueue& queue, StopRule& stop,
                                                CellBudget& budget, SearchBuffers& buffers,
                                                SearchControl& control) {
  constexpr uint32_t kPollEvery = 4096;  // relaxed cells
  double* const labels = space.labels();
  const F* const frictions = space.frictions();
  const PaddedGrid& grid = space.grid();
  BucketSearchEnd end;
  uint32_t unpolled = 0;

  TALWEG_RETURN_IF_ERROR(control.Poll(0, 0));
  while (queue.Advance(labels)) {
    if (queue.moved()) {
      const auto label_of = [&](PaddedIndex cell) { return space.LabelAt(grid.CellOf(cell)); };
      if (stop.IsReached(queue.floor(), label_of)) {
        TALWEG_RETURN_IF_ERROR(control.Poll(unpolled, queue.floor()));
        return end;
      }
      if (budget.MayBeExceeded()) {
        // Labels below the floor are final and belong to the answer.
        const double floor = queue.floor();
        TALWEG_RETURN_IF_ERROR(
            budget.Check(CountLabels(space, [floor](double label) { return label < floor; })));
      }
    }
    queue.TakeBatch(buffers.batch);
    uint32_t live_in_batch = 0;
    for (uint32_t begin = 0; begin < buffers.batch.size(); begin += SearchBuffers::kChunk) {
      const uint32_t chunk_end = std::min(begin + SearchBuffers::kChunk, buffers.batch.size());
      // Drop what was improved after it was queued.
      uint32_t live = 0;
      for (uint32_t i = begin; i < chunk_end; ++i) {
        const EntryList::Entry entry = buffers.batch[i];
        buffers.live[live] = entry.cell;
        live += AdaptiveBucketQueue::TagOf(labels[entry.cell]) == entry.tag ? 1U : 0U;
      }
      // Stage improvements; nothing is stored to the labels meanwhile.
      uint32_t staged = 0;
      for (uint32_t i = 0; i < live; ++i) {
        const PaddedIndex cell = buffers.live[i];
        space.Prepare(cell);
        staged += relaxer.Relax(labels, frictions, cell, buffers.cells.data() + staged,
                                buffers.labels.data() + staged);
      }
      if (budget.limited()) {
        for (uint32_t i = 0; i < live; ++i) budget.Count(buffers.live[i]);
      }
      // Commit: of several improvements of a cell the lowest stays.
      for (uint32_t i = 0; i < staged; ++i) {
        const PaddedIndex cell = buffers.cells[i];
        const double label = buffers.labels[i];
        const double old = labels[cell];
        const bool improves = label < old;
        labels[cell] = improves ? label : old;
        queue.Push(cell, label, improves ? 1 : 0);
      }
      live_in_batch += live;
      end.relaxed_cells += live;
      unpolled += live;
      if (unpolled >= kPollEvery) {
        TALWEG_RETURN_IF_ERROR(control.Poll(unpolled, queue.floor()));
        unpolled = 0;
      }
    }
    queue.ReportLive(live_in_batch);
  }
  TALWEG_RETURN_IF_ERROR(control.Poll(unpolled, kNoLabel));
  end.exhausted = true;
  return end;
}

}  // namespace talweg

#endif  // TALWEG_SEARCH_BUCKET_SEARCH_H_
