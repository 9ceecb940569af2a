#include "adaptive_bucket_queue.h"

#include <cstring>
#include <utility>

namespace talweg {

void EntryList::Grow() {
  const uint32_t capacity = capacity_ == 0 ? 64 : capacity_ * 2;
  auto entries = std::make_unique_for_overwrite<Entry[]>(capacity);
  if (size_ > 0) std::memcpy(entries.get(), entries_.get(), size_ * sizeof(Entry));
  entries_ = std::move(entries);
  capacity_ = capacity;
}

void AdaptiveBucketQueue::Clear() {
  for (size_t level = 0; level < kLevels; ++level) {
    for (uint64_t filled = filled_[level]; filled != 0; filled &= filled - 1) {
      buckets_[level * kBuckets + static_cast<size_t>(std::countr_zero(filled))].clear();
    }
  }
  filled_ = {};
  position_ = 0;
  floor_level_ = kFirstFloor;
  current_start_ = ~uint64_t{0};
  rounds_ = 0;
  phases_ = live_in_phases_ = 0;
}

// The position takes the bucket's digit at `level`, zeros below, and keeps
// what it has above.
void AdaptiveBucketQueue::MoveTo(int level, uint32_t bucket) {
  const int above = DigitShift(level) + kDigitBits;
  const uint64_t high = above >= 64 ? 0 : position_ >> above << above;
  position_ = high | (static_cast<uint64_t>(bucket) << DigitShift(level));
}

// Puts the entries of moving_ into their slots for the present position and
// floor; stale ones are dropped on the way.
void AdaptiveBucketQueue::Scatter(const double* labels) {
  for (uint32_t i = 0; i < moving_.size(); ++i) {
    const Entry entry = moving_[i];
    const double label = labels[entry.cell];
    Push(entry.cell, label, TagOf(label) == entry.tag ? 1 : 0);
  }
  moving_.clear();
}

// Splits the current bucket at the highest digit in which its labels differ.
// False when that would not help: all labels are one plateau, or so close that
// it is as good as one.
bool AdaptiveBucketQueue::SplitCurrent(const double* labels) {
  EntryList& bucket = buckets_[current_];
  uint64_t lowest = ~uint64_t{0};
  uint64_t highest = 0;
  for (uint32_t i = 0; i < bucket.size(); ++i) {
    const double label = labels[bucket[i].cell];
    if (TagOf(label) != bucket[i].tag) continue;
    lowest = std::min(lowest, std::bit_cast<uint64_t>(label));
    highest = std::max(highest, std::bit_cast<uint64_t>(label));
  }
  if (highest <= lowest) return false;
  const int digit = (63 - std::countl_zero(highest ^ lowest)) / kDigitBits;
  constexpr int kAsGoodAsOne = 3;  // digits below the floor
  if (digit < floor_level_ - kAsGoodAsOne) return false;

  std::swap(moving_, bucket);
  filled_[current_ / kBuckets] &= ~(uint64_t{1} << (current_ % kBuckets));
  floor_level_ = std::min(floor_level_ - 1, digit);
  phases_ = live_in_phases_ = 0;
  Scatter(labels);
  return true;
}

bool AdaptiveBucketQueue::Advance(const double* labels) {
  for (;;) {
    const auto floor = static_cast<size_t>(floor_level_);
    if (filled_[floor] == 0) {
      int level = floor_level_ + 1;
      while (level < kLevels && filled_[static_cast<size_t>(level)] == 0) ++level;
      if (level == kLevels) return false;
      if (phases_ >= kPhasesToJudge) {
        if (live_in_phases_ < phases_ * kDryBatch && floor_level_ < kHighestFloor) ++floor_level_;
        phases_ = live_in_phases_ = 0;
      }
      // A floor that rose to this level finds its buckets sorted already.
      if (level > floor_level_) {
        const auto bucket =
            static_cast<uint32_t>(std::countr_zero(filled_[static_cast<size_t>(level)]));
        MoveTo(level, bucket);
        std::swap(moving_, buckets_[static_cast<uint32_t>(level) * kBuckets + bucket]);
        filled_[static_cast<size_t>(level)] &= ~(uint64_t{1} << bucket);
        Scatter(labels);
      }
      continue;
    }
    const auto bucket = static_cast<uint32_t>(std::countr_zero(filled_[floor]));
    MoveTo(floor_level_, bucket);
    current_ = static_cast<uint32_t>(floor_level_) * kBuckets + bucket;
    if (position_ != current_start_) {
      current_start_ = position_;
      rounds_ = 0;
    }
    if (++rounds_ > kMaxRounds && floor_level_ > 0 && buckets_[current_].size() > kSmallBucket) {
      if (SplitCurrent(labels)) {
        current_start_ = ~uint64_t{0};
        continue;
      }
      rounds_ = 1;
    }
    return true;
  }
}

void AdaptiveBucketQueue::TakeBatch(EntryList& batch) {
  batch.clear();
  std::swap(batch, buckets_[current_]);
  filled_[current_ / kBuckets] &= ~(uint64_t{1} << (current_ % kBuckets));
  ++phases_;
}

}  // namespace talweg
