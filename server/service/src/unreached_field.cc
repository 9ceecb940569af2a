#include "unreached_field.h"

#include <limits>

namespace talweg::service {

FieldCells UnreachedField::Run(uint64_t first, uint64_t count) {
  costs_.resize(count);
  back_links_.resize(count);
  allocation_.assign(count, -1);
  VisitValueType(surface_.value_type(), [&](auto tag) {
    using T = decltype(tag);
    const FrictionReader<T> reader(rule_);
    const RasterView<const T> cells = surface_.cells<T>();
    for (uint64_t i = 0; i < count; ++i) {
      const bool passable = IsPassable(reader(cells[static_cast<CellIndex>(first + i)]));
      costs_[i] = passable ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
      back_links_[i] = passable ? kBackLinkNotReached : kBackLinkImpassable;
    }
  });
  return {.costs = costs_, .back_links = back_links_, .allocation = allocation_};
}

}  // namespace talweg::service
