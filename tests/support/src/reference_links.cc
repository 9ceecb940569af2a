#include "talweg/test/reference_links.h"

#include <cmath>
#include <limits>
#include <vector>

namespace talweg::test {
namespace {

constexpr int64_t kNoLevel = std::numeric_limits<int64_t>::max();

class Definition {
 public:
  Definition(const OracleAnswer& answer, const EngineRecipe& recipe)
      : recipe_(recipe),
        lengths_(LengthsByCode(recipe.lengths)),
        shape_(answer.costs.shape()),
        cost_(answer.costs.view()),
        friction_(answer.frictions.view()) {}

  ReferenceLinks Solve(const SearchRequest& request) {
    ReferenceLinks links{.back_links = Raster<StepCode>(shape_, kBackLinkNotReached),
                         .allocation = Raster<int32_t>(shape_, -1)};
    const auto codes = links.back_links.view();
    const auto allocation = links.allocation.view();
    // Sources that keep their cell, later ones of a cell first, so that the
    // first of the request has the last word.
    std::vector<bool> is_source(static_cast<size_t>(shape_.cells()));
    for (size_t i = request.sources.size(); i-- > 0;) {
      const Source& source = request.sources[i];
      if (!Reached(source.cell)) continue;
      const double own = source.start_cost +
                         (recipe_.step_model == StepModel::kEntry ? friction_[source.cell] : 0.0);
      if (own != cost_[source.cell]) continue;
      is_source[static_cast<size_t>(source.cell)] = true;
      allocation[source.cell] = source.number;
    }
    // Level: steps from where the plateau is entered; 0 for cells with a
    // descending link and for sources.
    std::vector<int64_t> level(static_cast<size_t>(shape_.cells()), kNoLevel);
    for (CellIndex v = 0; v < shape_.cells(); ++v) {
      if (std::isnan(cost_[v])) codes[v] = kBackLinkImpassable;
      if (!Reached(v)) continue;
      if (is_source[static_cast<size_t>(v)] || FirstDescending(v) >= 0) {
        level[static_cast<size_t>(v)] = 0;
      }
    }
    for (int64_t round = 1; Grow(level, round);) ++round;
    for (CellIndex v = 0; v < shape_.cells(); ++v) {
      if (!Reached(v)) continue;
      if (is_source[static_cast<size_t>(v)])
        codes[v] = kBackLinkSource;
      else if (const int code = FirstDescending(v); code >= 0)
        codes[v] = static_cast<StepCode>(code);
      else
        codes[v] = LevelCode(v, level);
    }
    for (CellIndex v = 0; v < shape_.cells(); ++v) {
      if (!Reached(v)) continue;
      CellIndex u = v;
      while (codes[u] != kBackLinkSource) u = Origin(u, codes[u]);
      allocation[v] = allocation[u];
    }
    return links;
  }

 private:
  bool Reached(CellIndex v) const { return cost_[v] < kImpassableFriction; }

  // The neighbour from which the move `code` enters v; -1 off the surface.
  CellIndex Origin(CellIndex v, int code) const {
    const Cell cell = ToCell(shape_, v);
    const Cell origin = {cell.row - kSteps[static_cast<size_t>(code)].row,
                         cell.col - kSteps[static_cast<size_t>(code)].col};
    return Contains(shape_, origin) ? ToIndex(shape_, origin) : -1;
  }

  bool Tight(CellIndex u, CellIndex v, int code) const {
    const double step =
        recipe_.step_model == StepModel::kEntry
            ? friction_[v]
            : (lengths_[static_cast<size_t>(code)] / 2) * (friction_[u] + friction_[v]);
    return Reached(u) && cost_[u] + step == cost_[v];
  }

  int FirstDescending(CellIndex v) const {
    for (int code = 0; code < StepCount(recipe_.neighbourhood); ++code) {
      const CellIndex u = Origin(v, code);
      if (u >= 0 && cost_[u] < cost_[v] && Tight(u, v, code)) return code;
    }
    return -1;
  }

  bool Grow(std::vector<int64_t>& level, int64_t round) const {
    bool grew = false;
    for (CellIndex v = 0; v < shape_.cells(); ++v) {
      if (!Reached(v) || level[static_cast<size_t>(v)] != kNoLevel) continue;
      for (int code = 0; code < StepCount(recipe_.neighbourhood); ++code) {
        const CellIndex u = Origin(v, code);
        if (u >= 0 && cost_[u] == cost_[v] && Tight(u, v, code) &&
            level[static_cast<size_t>(u)] == round - 1) {
          level[static_cast<size_t>(v)] = round;
          grew = true;
          break;
        }
      }
    }
    return grew;
  }

  StepCode LevelCode(CellIndex v, const std::vector<int64_t>& level) const {
    for (int code = 0; code < StepCount(recipe_.neighbourhood); ++code) {
      const CellIndex u = Origin(v, code);
      if (u >= 0 && cost_[u] == cost_[v] && Tight(u, v, code) &&
          level[static_cast<size_t>(u)] == level[static_cast<size_t>(v)] - 1) {
        return static_cast<StepCode>(code);
      }
    }
    return 250;  // no such neighbour: no field of ours; fails every comparison
  }

  const EngineRecipe& recipe_;
  StepLengthTable lengths_;
  Shape shape_;
  RasterView<const double> cost_;
  RasterView<const double> friction_;
};

}  // namespace

ReferenceLinks LinksByDefinition(const OracleAnswer& answer, const EngineRecipe& recipe,
                                 const SearchRequest& request) {
  return Definition(answer, recipe).Solve(request);
}

}  // namespace talweg::test
