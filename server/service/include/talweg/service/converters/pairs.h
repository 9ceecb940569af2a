// Pairs: which ones are asked for, and blocks of finished ones.
#ifndef TALWEG_SERVICE_CONVERTERS_PAIRS_H_
#define TALWEG_SERVICE_CONVERTERS_PAIRS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/query/pair_plan.h"
#include "talweg/service/limits.h"
#include "talweg/v1/path.pb.h"

namespace talweg::service {

// The pairs of a FindRoutes request; none given: every source with every
// destination, row by row. LIMIT_EXCEEDED (max_routes), INVALID_VALUE for an
// index out of range.
absl::StatusOr<std::vector<PairIndex>> PairsFromProto(const v1::FindRoutesRequest& proto,
                                                      const ServiceLimits& limits);

// LIMIT_EXCEEDED (max_pairs) when sources x destinations is too many; neither
// factor alone need be.
absl::Status CheckPairProduct(uint64_t sources, uint64_t destinations, std::string_view limit,
                              uint64_t maximum);

// The answer to a pair that its points decide.
PairAnswer DecidedAnswer(Outcome outcome);

// Collects finished pairs into one message.
class PairBlockBuilder {
 public:
  explicit PairBlockBuilder(Paths paths) : paths_(paths) {}

  void Add(const PairIndex& pair, PairAnswer answer);

  bool empty() const { return block_.source().empty(); }
  // Upper bound of the serialised size.
  uint64_t size_bytes() const { return size_bytes_; }
  // What `answer` would add to it.
  static uint64_t SizeBytes(const PairAnswer& answer);

  // The block; the builder is empty again.
  v1::PairBlock Take();

 private:
  Paths paths_;
  v1::PairBlock block_;
  uint64_t size_bytes_ = 0;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_PAIRS_H_
