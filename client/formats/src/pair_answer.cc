#include "talweg/formats/pair_answer.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "talweg/base/errors.h"

namespace talweg::formats {

PairAnswer::PairAnswer(std::vector<std::string> from_ids, std::vector<std::string> to_ids)
    : from_ids_(std::move(from_ids)),
      to_ids_(std::move(to_ids)),
      pairs_(from_ids_.size() * to_ids_.size()) {}

absl::Status PairAnswer::Add(const v1::PairBlock& block) {
  const int count = block.source_size();
  if (block.destination_size() != count || block.cost_size() != count ||
      block.length_size() != count || block.outcome_size() != count ||
      (block.path_size() != 0 && block.path_size() != count)) {
    return ProtocolError("a block of pairs has lists of unequal length");
  }
  for (int i = 0; i < count; ++i) {
    if (block.source(i) >= from_ids_.size() || block.destination(i) >= to_ids_.size()) {
      return ProtocolError("a pair names a point that was not asked for");
    }
    PairResult& pair = pairs_[block.source(i) * to_ids_.size() + block.destination(i)];
    if (pair.outcome != v1::OUTCOME_UNSPECIFIED) {
      return ProtocolError("a pair was answered twice");
    }
    if (block.outcome(i) == v1::OUTCOME_UNSPECIFIED) {
      return ProtocolError("a pair has no outcome");
    }
    pair.outcome = block.outcome(i);
    pair.cost = block.cost(i);
    pair.length = block.length(i);
    if (block.path_size() != 0 && pair.outcome == v1::OUTCOME_OK) {
      pair.path.start = static_cast<CellIndex>(block.path(i).start_cell());
      pair.path.steps = block.path(i).steps();
    }
    ++finished_;
  }
  return absl::OkStatus();
}

absl::Status PairAnswer::CheckComplete() const {
  if (finished_ == pairs_.size()) return absl::OkStatus();
  const std::string counts = absl::StrCat(finished_, " of ", pairs_.size());
  return ProtocolError("the answer ended after " + counts + " pairs");
}

std::string_view OutcomeName(v1::Outcome outcome) {
  switch (outcome) {
    case v1::OUTCOME_OK:
      return "ok";
    case v1::OUTCOME_UNREACHABLE:
      return "unreachable";
    case v1::OUTCOME_BEYOND_MAX_COST:
      return "beyond_max_cost";
    case v1::OUTCOME_SOURCE_OUTSIDE:
      return "source_outside";
    case v1::OUTCOME_DESTINATION_OUTSIDE:
      return "destination_outside";
    case v1::OUTCOME_SOURCE_IMPASSABLE:
      return "source_impassable";
    case v1::OUTCOME_DESTINATION_IMPASSABLE:
      return "destination_impassable";
    default:
      return "unknown";
  }
}

bool IsBadPoint(v1::Outcome outcome) {
  return outcome == v1::OUTCOME_SOURCE_OUTSIDE || outcome == v1::OUTCOME_DESTINATION_OUTSIDE ||
         outcome == v1::OUTCOME_SOURCE_IMPASSABLE || outcome == v1::OUTCOME_DESTINATION_IMPASSABLE;
}

}  // namespace talweg::formats
