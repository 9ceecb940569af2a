// When a search is over, decided on what is final: labels below the queue's
// floor.
#ifndef TALWEG_SEARCH_STOP_RULE_H_
#define TALWEG_SEARCH_STOP_RULE_H_

#include <vector>

#include "padded_grid.h"
#include "talweg/search/engine_recipe.h"

namespace talweg {

class StopRule {
 public:
  StopRule(std::vector<PaddedIndex> destinations, double max_cost)
      : open_(std::move(destinations)), has_destinations_(!open_.empty()), max_cost_(max_cost) {}

  // Whether every label the answer needs is below `floor`. `label_of` gives a
  // destination's label.
  template <class LabelOf>
  bool IsReached(double floor, const LabelOf& label_of) {
    if (floor > max_cost_) return true;
    if (!has_destinations_) return false;
    while (!open_.empty() && label_of(open_.back()) < floor) open_.pop_back();
    return open_.empty();
  }

 private:
  std::vector<PaddedIndex> open_;  // not known to be settled
  bool has_destinations_;
  double max_cost_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_STOP_RULE_H_
