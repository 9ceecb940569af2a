// From pairs of points to searches: which searches answer which pairs.
//
// Pairs with a bad point are decided without a search. The rest is grouped by
// source cell and start cost, so that one search answers all pairs of a source.
#ifndef TALWEG_QUERY_PAIR_PLAN_H_
#define TALWEG_QUERY_PAIR_PLAN_H_

#include <vector>

#include "talweg/query/one_to_many.h"
#include "talweg/query/points.h"

namespace talweg {

// A pair of a request: indices into its sources and destinations.
struct PairIndex {
  uint32_t source = 0;
  uint32_t destination = 0;

  friend bool operator==(const PairIndex&, const PairIndex&) = default;
};

// A pair whose outcome follows from its points alone.
struct DecidedPair {
  PairIndex pair;
  Outcome outcome;
};

// Which way a planned search gives a pair's path.
enum class PathSense : bool { kForward = false, kReversed = true };

// The k-th destination of a search answers this pair.
struct PlannedPair {
  PairIndex pair;
  PathSense sense = PathSense::kForward;
};

struct PlannedSearch {
  OneToManyRequest request;
  // Per destination of the request, the pairs it answers.
  std::vector<std::vector<PlannedPair>> answers;
};

struct PairPlan {
  std::vector<DecidedPair> decided;
  std::vector<PlannedSearch> searches;
};

}  // namespace talweg

#endif  // TALWEG_QUERY_PAIR_PLAN_H_
