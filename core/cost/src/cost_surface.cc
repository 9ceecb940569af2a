#include "talweg/cost/cost_surface.h"

#include <atomic>

namespace talweg {

SurfaceIdentity NewSurfaceIdentity() {
  static std::atomic<SurfaceIdentity> latest{kNoIdentity};
  return ++latest;
}

FrictionRule CostSurfaceView::WithOwnNodata(FrictionRule rule) const {
  rule.nodata.insert(rule.nodata.begin(), description_->nodata.begin(), description_->nodata.end());
  return rule;
}

double CostSurfaceView::FrictionAt(const Cell& cell, const FrictionRule& rule) const {
  return VisitValueType(value_type(), [&](auto tag) {
    using T = decltype(tag);
    return FrictionReader<T>(rule)(cells<T>()(cell.row, cell.col));
  });
}

CostSurfaceView CostSurface::view() const {
  const void* data =
      std::visit([](const auto& cells) -> const void* { return cells.view().data(); }, cells_);
  return CostSurfaceView(description_, data);
}

}  // namespace talweg
