// The back-link rule, once, for all kernels: it reads a finished field and
// nothing else, so it cannot depend on the order of a search.
//
// Back-link of v: among the neighbours u with cost[u] + step(u, v) == cost[v]
// and cost[u] < cost[v], the first in the printed order of the move from u to
// v. Where there is none, v lies on a plateau (free or absorbed steps): then,
// among the u with equal cost and a tight step, the one nearest, in steps, to
// where the plateau is entered, then the printed order. A source that keeps
// its own start cost has none (kBackLinkSource).
#ifndef TALWEG_SEARCH_BACK_LINK_RULE_H_
#define TALWEG_SEARCH_BACK_LINK_RULE_H_

#include <cstdint>
#include <vector>

#include "padded_grid.h"
#include "talweg/grid/neighbourhood.h"

namespace talweg {

// Code of a cell whose back-link is not known yet.
inline constexpr StepCode kBackLinkOpen = 252;

// F and Relaxer as in the kernels. Every neighbour of a cell asked about must
// be valid in the two arrays.
template <class F, class Relaxer>
class BackLinkRule {
 public:
  BackLinkRule(const double* labels, const F* frictions, const Relaxer& relaxer)
      : labels_(labels), frictions_(frictions), relaxer_(relaxer) {}

  // First tight move from a neighbour with a lower cost; kBackLinkOpen when
  // there is none.
  StepCode DescendingCode(PaddedIndex v) const {
    for (size_t code = 0; code < Relaxer::kSteps; ++code) {
      const PaddedIndex u = relaxer_.Origin(v, code);
      if (labels_[u] < labels_[v] && IsTight(u, v, code)) return static_cast<StepCode>(code);
    }
    return kBackLinkOpen;
  }

  // Calls f(u, code) for every tight move from a neighbour of equal cost, in
  // printed order, until f returns false.
  template <class Function>
  void ForEachLevelOrigin(PaddedIndex v, const Function& f) const {
    for (size_t code = 0; code < Relaxer::kSteps; ++code) {
      const PaddedIndex u = relaxer_.Origin(v, code);
      if (labels_[u] == labels_[v] && IsTight(u, v, code) && !f(u, static_cast<StepCode>(code))) {
        return;
      }
    }
  }

  // Resolves plateau cells in rounds: those entered by a resolved neighbour
  // first, then their neighbours, and so on. `codes` maps a cell to its code
  // (get(cell), set(cell, code)); cells of `open` have kBackLinkOpen, all
  // others that their plateaux touch are resolved.
  template <class Codes>
  void ResolvePlateaux(std::vector<PaddedIndex> open, Codes& codes) const {
    struct Resolved {
      PaddedIndex cell;
      StepCode code;
    };
    std::vector<Resolved> round;
    std::vector<PaddedIndex> candidates = std::move(open);
    while (!candidates.empty()) {
      round.clear();
      for (const PaddedIndex v : candidates) {
        if (codes.get(v) != kBackLinkOpen) continue;
        ForEachLevelOrigin(v, [&](PaddedIndex u, StepCode code) {
          if (codes.get(u) == kBackLinkOpen) return true;
          round.push_back({v, code});
          return false;
        });
      }
      // Set after the round, so that a round sees only the rounds before it;
      // a cell may have been a candidate of several neighbours.
      std::erase_if(round, [&](const Resolved& resolved) {
        if (codes.get(resolved.cell) != kBackLinkOpen) return true;
        codes.set(resolved.cell, resolved.code);
        return false;
      });
      candidates.clear();
      for (const Resolved& resolved : round) {
        for (size_t code = 0; code < Relaxer::kSteps; ++code) {
          const PaddedIndex w = relaxer_.Move(resolved.cell, code);
          if (labels_[w] == labels_[resolved.cell] && IsTight(resolved.cell, w, code) &&
              codes.get(w) == kBackLinkOpen) {
            candidates.push_back(w);
          }
        }
      }
    }
  }

 private:
  bool IsTight(PaddedIndex u, PaddedIndex v, size_t code) const {
    return relaxer_.CostAfter(labels_[u], code, frictions_[u], frictions_[v]) == labels_[v];
  }

  const double* labels_;
  const F* frictions_;
  const Relaxer& relaxer_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_BACK_LINK_RULE_H_
