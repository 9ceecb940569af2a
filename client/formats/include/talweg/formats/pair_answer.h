// The pairs of a matrix or of routes, gathered from the blocks of a stream.
#ifndef TALWEG_FORMATS_PAIR_ANSWER_H_
#define TALWEG_FORMATS_PAIR_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "talweg/query/path.h"
#include "talweg/v1/path.pb.h"

namespace talweg::formats {

// One finished pair.
struct PairResult {
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;
  double cost = 0;    // meaningful when the outcome is OK
  double length = 0;  // likewise
  Path path;          // likewise, when paths were asked for
};

// Every source with every destination, row-major.
class PairAnswer {
 public:
  PairAnswer(std::vector<std::string> from_ids, std::vector<std::string> to_ids);

  // Takes the pairs of a block. PROTOCOL_ERROR for lists of unequal length,
  // indices out of range, or a pair that was there before.
  absl::Status Add(const v1::PairBlock& block);
  // PROTOCOL_ERROR when a pair is missing.
  absl::Status CheckComplete() const;

  const std::vector<std::string>& from_ids() const { return from_ids_; }
  const std::vector<std::string>& to_ids() const { return to_ids_; }
  const PairResult& at(size_t from, size_t to) const { return pairs_[from * to_ids_.size() + to]; }
  const std::vector<PairResult>& pairs() const { return pairs_; }

 private:
  std::vector<std::string> from_ids_;
  std::vector<std::string> to_ids_;
  std::vector<PairResult> pairs_;
  size_t finished_ = 0;
};

// "ok", "unreachable", "source_outside" ...
std::string_view OutcomeName(v1::Outcome outcome);

// Whether the outcome says that one of the two points is bad.
bool IsBadPoint(v1::Outcome outcome);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_PAIR_ANSWER_H_
