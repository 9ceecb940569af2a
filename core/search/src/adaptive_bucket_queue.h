// The queue policy of the production kernel: a radix queue on the bits of the
// labels with an adaptive floor. No bucket width to choose.
//
// A label >= 0 orders like its 64 IEEE bits. The bits are read as eleven
// digits of six. A pending entry sits at the highest digit in which its label
// differs from the queue's position, in the bucket of that digit's value (a
// radix heap, Ahuja et al. 1990). Digits below the floor level are not sorted:
// a bucket at the floor level holds a range of labels, and the search inside
// it is label-correcting. A bucket that keeps refilling is split at the digit
// in which its entries differ; when batches run dry the floor rises.
//
// Entries are 8 bytes: the cell and the low half of the label's bits. When the
// cell's label has changed since, the halves differ and the entry is stale; the
// caller drops it. (Equal halves of unequal labels only repeat work.)
#ifndef TALWEG_SEARCH_ADAPTIVE_BUCKET_QUEUE_H_
#define TALWEG_SEARCH_ADAPTIVE_BUCKET_QUEUE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "padded_grid.h"

namespace talweg {

// A growing list of entries whose append does not branch on the data.
class EntryList {
 public:
  struct Entry {
    PaddedIndex cell;
    uint32_t tag;
  };

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Entry& operator[](uint32_t i) const { return entries_[i]; }
  void clear() { size_ = 0; }

  // Writes the entry; keeps it only when `keep` is 1 (0: it is overwritten).
  void Append(Entry entry, uint32_t keep) {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    entries_[size_] = entry;
    size_ += keep;
  }

 private:
  void Grow();

  std::unique_ptr<Entry[]> entries_;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

class AdaptiveBucketQueue {
 public:
  using Entry = EntryList::Entry;

  static uint32_t TagOf(double label) {
    return static_cast<uint32_t>(std::bit_cast<uint64_t>(label));
  }

  // Empties the queue and puts its position back to 0.
  void Clear();

  // Adds the entry of a cell whose label is `label`, which must not be below
  // floor(). With keep == 0 nothing is added.
  void Push(PaddedIndex cell, double label, uint32_t keep = 1) {
    const uint64_t bits = std::bit_cast<uint64_t>(label);
    const uint32_t slot = SlotOf(bits);
    buckets_[slot].Append({cell, static_cast<uint32_t>(bits)}, keep);
    filled_[slot / kBuckets] |= static_cast<uint64_t>(keep) << (slot % kBuckets);
  }

  // Moves to the lowest pending bucket; false when nothing is pending.
  // `labels` are the labels of all cells.
  bool Advance(const double* labels);

  // No pending entry, and none pushed from now on, has a lower label.
  // Precondition: Advance() returned true.
  double floor() const {
    return std::bit_cast<double>(position_ >> DigitShift(floor_level_) << DigitShift(floor_level_));
  }

  // Whether Advance() moved on to another bucket than the time before.
  bool moved() const { return rounds_ == 1; }

  // Takes the entries of the bucket that Advance() found.
  void TakeBatch(EntryList& batch);

  // Tells how many entries of the batch were not stale.
  void ReportLive(uint32_t live) { live_in_phases_ += live; }

 private:
  static constexpr int kDigitBits = 6;
  static constexpr uint32_t kBuckets = 64;
  static constexpr int kLevels = 11;
  static constexpr int kFirstFloor = 7;  // 2^-10 of a label's binade
  static constexpr int kHighestFloor = 9;
  static constexpr int kMaxRounds = 6;       // then a bucket is split
  static constexpr uint32_t kDryBatch = 24;  // fewer live entries: the floor rises
  static constexpr uint64_t kPhasesToJudge = 16;
  static constexpr uint32_t kSmallBucket = 8;  // not worth a split

  static constexpr int DigitShift(int level) { return level * kDigitBits; }

  uint32_t SlotOf(uint64_t bits) const {
    const uint64_t difference = (bits ^ position_) | 1;
    const int level = std::max((63 - std::countl_zero(difference)) / kDigitBits, floor_level_);
    return static_cast<uint32_t>(level) * kBuckets +
           static_cast<uint32_t>((bits >> DigitShift(level)) & (kBuckets - 1));
  }
  void MoveTo(int level, uint32_t bucket);
  bool SplitCurrent(const double* labels);
  void Scatter(const double* labels);

  std::array<EntryList, kLevels * kBuckets> buckets_;
  std::array<uint64_t, kLevels> filled_{};  // which buckets of a level hold entries
  uint64_t position_ = 0;
  int floor_level_ = kFirstFloor;
  uint32_t current_ = 0;  // slot that Advance() found
  uint64_t current_start_ = ~uint64_t{0};
  int rounds_ = 0;  // how often this bucket was taken in a row
  uint64_t phases_ = 0;
  uint64_t live_in_phases_ = 0;
  EntryList moving_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_ADAPTIVE_BUCKET_QUEUE_H_
