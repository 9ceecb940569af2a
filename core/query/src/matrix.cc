#include "talweg/query/matrix.h"

#include <algorithm>
#include <cstdlib>

#include "pair_plan_builder.h"

namespace talweg {
namespace {

// Chebyshev distance from the raster's centre, doubled to stay whole.
int64_t DoubledDistanceFromCentre(const Shape& shape, const Cell& cell) {
  return std::max(std::abs(2 * cell.row - (shape.rows - 1)),
                  std::abs(2 * cell.col - (shape.cols - 1)));
}

// Whether `a` is the canonical end of the pair of cells.
bool IsCanonicalEnd(const Shape& shape, const Cell& a, const Cell& b) {
  const int64_t from_centre_a = DoubledDistanceFromCentre(shape, a);
  const int64_t from_centre_b = DoubledDistanceFromCentre(shape, b);
  if (from_centre_a != from_centre_b) return from_centre_a > from_centre_b;
  return ToIndex(shape, a) <= ToIndex(shape, b);
}

}  // namespace

PairPlan PlanMatrix(const Shape& shape, const std::vector<ResolvedPoint>& sources,
                    const std::vector<ResolvedPoint>& destinations, Paths paths) {
  PairPlanBuilder builder(shape, paths);
  for (uint32_t i = 0; i < sources.size(); ++i) {
    for (uint32_t j = 0; j < destinations.size(); ++j) {
      if (builder.Decide({i, j}, sources[i], destinations[j])) continue;
      builder.Add({.pair = {i, j}, .sense = PathSense::kForward}, sources[i], destinations[j]);
    }
  }
  return std::move(builder).Build();
}

PairPlan PlanSymmetricMatrix(const Shape& shape, const std::vector<ResolvedPoint>& points,
                             Paths paths) {
  PairPlanBuilder builder(shape, paths);
  for (uint32_t i = 0; i < points.size(); ++i) {
    for (uint32_t j = i; j < points.size(); ++j) {
      const bool bad = builder.Decide({i, j}, points[i], points[j]);
      if (bad) {
        if (i != j) builder.Decide({j, i}, points[j], points[i]);
        continue;
      }
      const bool from_i = IsCanonicalEnd(shape, points[i].cell, points[j].cell);
      const uint32_t source = from_i ? i : j;
      const uint32_t destination = from_i ? j : i;
      builder.Add({.pair = {source, destination}, .sense = PathSense::kForward}, points[source],
                  points[destination]);
      if (i != j) {
        builder.Add({.pair = {destination, source}, .sense = PathSense::kReversed}, points[source],
                    points[destination]);
      }
    }
  }
  PairPlan plan = std::move(builder).Build();
  std::stable_sort(plan.searches.begin(), plan.searches.end(), [](const auto& a, const auto& b) {
    return a.request.destinations.size() > b.request.destinations.size();
  });
  return plan;
}

}  // namespace talweg
