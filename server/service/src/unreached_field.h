// The field of a request without a usable source: nothing is reached.
#ifndef TALWEG_SERVICE_UNREACHED_FIELD_H_
#define TALWEG_SERVICE_UNREACHED_FIELD_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "talweg/cost/cost_surface.h"
#include "talweg/grid/neighbourhood.h"
#include "talweg/service/converters/field.h"

namespace talweg::service {

// Makes runs of cells of that field: costs +inf or, where impassable, NaN.
class UnreachedField {
 public:
  UnreachedField(const CostSurfaceView& surface, FrictionRule rule)
      : surface_(surface), rule_(std::move(rule)) {}

  // Valid until the next call.
  FieldCells Run(uint64_t first, uint64_t count);

 private:
  CostSurfaceView surface_;
  FrictionRule rule_;  // with the surface's own nodata
  std::vector<double> costs_;
  std::vector<uint8_t> back_links_;
  std::vector<int32_t> allocation_;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_UNREACHED_FIELD_H_
