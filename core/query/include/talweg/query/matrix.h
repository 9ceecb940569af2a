// The cost matrix between points: one search per source.
#ifndef TALWEG_QUERY_MATRIX_H_
#define TALWEG_QUERY_MATRIX_H_

#include <vector>

#include "talweg/query/pair_plan.h"

namespace talweg {

// Every source with every destination.
PairPlan PlanMatrix(const Shape& shape, const std::vector<ResolvedPoint>& sources,
                    const std::vector<ResolvedPoint>& destinations, Paths paths);

// Every point with every point, each unordered pair searched once, from its
// canonical end: the cell farther from the raster's centre (Chebyshev), ties
// by smaller flat index. Both entries get that cost; the reverse path is the
// reversed list. For symmetric step models without start costs. Searches with
// the most destinations come first.
PairPlan PlanSymmetricMatrix(const Shape& shape, const std::vector<ResolvedPoint>& points,
                             Paths paths);

}  // namespace talweg

#endif  // TALWEG_QUERY_MATRIX_H_
