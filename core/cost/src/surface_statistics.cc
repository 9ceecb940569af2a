#include "talweg/cost/surface_statistics.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "talweg/base/errors.h"

namespace talweg {
namespace {

template <class T>
absl::StatusOr<SurfaceStatistics> Count(const CostSurfaceView& surface) {
  const FrictionReader<T> reader(surface.WithOwnNodata({}));
  const RasterView<const T> cells = surface.cells<T>();
  SurfaceStatistics statistics;
  double smallest_positive = kImpassableFriction;
  CellIndex first_negative = -1;
  const int64_t count = surface.shape().cells();
  for (CellIndex index = 0; index < count; ++index) {
    const T value = cells[index];
    switch (reader.Classify(value)) {
      case CellClass::kPassable: {
        const double friction = static_cast<double>(value);
        ++statistics.passable_cells;
        if (friction > 0) {
          smallest_positive = std::min(smallest_positive, friction);
          statistics.largest_friction = std::max(statistics.largest_friction, friction);
        } else {
          ++statistics.zero_cells;
        }
        break;
      }
      case CellClass::kNodata:
        ++statistics.nodata_cells;
        break;
      case CellClass::kNegative:
        if (statistics.negative_cells++ == 0) first_negative = index;
        break;
      case CellClass::kInfinite:
        ++statistics.infinite_cells;
        break;
      case CellClass::kBarrierValue:
        break;  // the surface's own rule has none
    }
  }
  if (statistics.negative_cells > 0 && surface.description().negative == NegativePolicy::kError) {
    const Cell cell = ToCell(surface.shape(), first_negative);
    return NegativeFriction(statistics.negative_cells, cell.row, cell.col);
  }
  statistics.smallest_positive_friction = IsPassable(smallest_positive) ? smallest_positive : 0;
  return statistics;
}

}  // namespace

absl::StatusOr<SurfaceStatistics> ComputeStatistics(const CostSurfaceView& surface) {
  return VisitValueType(surface.value_type(),
                        [&](auto tag) { return Count<decltype(tag)>(surface); });
}

std::vector<std::string> SurfaceWarnings(const SurfaceStatistics& statistics) {
  std::vector<std::string> warnings;
  if (statistics.negative_cells > 0) {
    warnings.push_back(absl::StrCat(statistics.negative_cells,
                                    " cells have a negative friction and are impassable"));
  }
  if (statistics.passable_cells == 0) warnings.push_back("every cell is impassable");
  return warnings;
}

}  // namespace talweg
