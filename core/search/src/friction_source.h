// Reads runs of a surface's cells as frictions of a kernel's storage type.
#ifndef TALWEG_SEARCH_FRICTION_SOURCE_H_
#define TALWEG_SEARCH_FRICTION_SOURCE_H_

#include <memory>

#include "talweg/cost/cost_surface.h"

namespace talweg {

// F is float where float holds every friction of the surface exactly, else
// double; kernels compute in float64 either way.
template <class F>
class FrictionSource {
 public:
  virtual ~FrictionSource() = default;
  // Frictions of `count` cells of a row, from `col` on; +inf impassable.
  virtual void Read(Cell start, int64_t count, F* frictions) const = 0;
};

// Whether float holds every friction that `rule` makes of values of `type`.
bool FitsFloat(ValueType type, const FrictionRule& rule);

// `rule` includes the surface's own nodata values. The surface's cells must
// outlive the source.
template <class F>
std::unique_ptr<FrictionSource<F>> MakeFrictionSource(const CostSurfaceView& surface,
                                                      const FrictionRule& rule);

}  // namespace talweg

#endif  // TALWEG_SEARCH_FRICTION_SOURCE_H_
