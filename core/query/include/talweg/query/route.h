// Routes: given pairs of points, each with its path.
#ifndef TALWEG_QUERY_ROUTE_H_
#define TALWEG_QUERY_ROUTE_H_

#include <vector>

#include "talweg/query/pair_plan.h"

namespace talweg {

// The searches that answer `pairs`, with paths. Precondition: indices are in
// range.
PairPlan PlanRoutes(const Shape& shape, const std::vector<ResolvedPoint>& sources,
                    const std::vector<ResolvedPoint>& destinations,
                    const std::vector<PairIndex>& pairs);

}  // namespace talweg

#endif  // TALWEG_QUERY_ROUTE_H_
