#include "talweg/service/converters/pairs.h"

#include <limits>
#include <string>
#include <utility>

#include "talweg/base/checked_math.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/fields.h"

namespace talweg::service {
namespace {

// Two indices (5 bytes each at most), two doubles, an outcome, and the frame
// and start cell of a path.
constexpr uint64_t kPairBytes = 5 + 5 + 8 + 8 + 1 + 24;

absl::Status CheckIndex(int pair, std::string_view name, uint32_t index, uint64_t count) {
  if (index < count) return absl::OkStatus();
  return InvalidValue(ElementField("pairs", pair, name), std::to_string(index),
                      "an index below " + std::to_string(count));
}

}  // namespace

absl::StatusOr<std::vector<PairIndex>> PairsFromProto(const v1::FindRoutesRequest& proto,
                                                      const ServiceLimits& limits) {
  const auto sources = static_cast<uint32_t>(proto.sources().points_size());
  const auto destinations = static_cast<uint32_t>(proto.destinations().points_size());
  std::vector<PairIndex> pairs;
  if (proto.pairs().empty()) {
    TALWEG_RETURN_IF_ERROR(
        CheckPairProduct(sources, destinations, "max_routes", limits.max_routes));
    pairs.reserve(uint64_t{sources} * destinations);
    for (uint32_t source = 0; source < sources; ++source) {
      for (uint32_t destination = 0; destination < destinations; ++destination) {
        pairs.push_back({source, destination});
      }
    }
    return pairs;
  }
  TALWEG_RETURN_IF_ERROR(
      CheckLimit("max_routes", static_cast<uint64_t>(proto.pairs_size()), limits.max_routes));
  pairs.reserve(static_cast<size_t>(proto.pairs_size()));
  for (int i = 0; i < proto.pairs_size(); ++i) {
    const v1::PairIndex& pair = proto.pairs(i);
    TALWEG_RETURN_IF_ERROR(CheckIndex(i, "source", pair.source(), sources));
    TALWEG_RETURN_IF_ERROR(CheckIndex(i, "destination", pair.destination(), destinations));
    pairs.push_back({pair.source(), pair.destination()});
  }
  return pairs;
}

absl::Status CheckPairProduct(uint64_t sources, uint64_t destinations, std::string_view limit,
                              uint64_t maximum) {
  const auto product = CheckedMultiply(sources, destinations);
  return CheckLimit(limit, product.value_or(std::numeric_limits<uint64_t>::max()), maximum);
}

PairAnswer DecidedAnswer(Outcome outcome) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {.outcome = outcome, .cost = kNone, .length = kNone, .path = {}};
}

void PairBlockBuilder::Add(const PairIndex& pair, PairAnswer answer) {
  size_bytes_ += SizeBytes(answer);
  block_.add_source(pair.source);
  block_.add_destination(pair.destination);
  block_.add_cost(answer.cost);
  block_.add_length(answer.length);
  block_.add_outcome(static_cast<v1::Outcome>(answer.outcome));
  if (paths_ == Paths::kInclude) {
    v1::EncodedPath& path = *block_.add_path();
    path.set_start_cell(static_cast<uint64_t>(answer.path.start));
    path.set_steps(std::move(answer.path.steps));
  }
}

uint64_t PairBlockBuilder::SizeBytes(const PairAnswer& answer) {
  return kPairBytes + answer.path.steps.size();
}

v1::PairBlock PairBlockBuilder::Take() {
  size_bytes_ = 0;
  return std::exchange(block_, {});
}

}  // namespace talweg::service
