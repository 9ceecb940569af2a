// A cost surface: cells of friction and their description.
//   CostSurface      owns an xtensor container; for tests and tools.
//   CostSurfaceView  borrows; what every kernel and query takes.
#ifndef TALWEG_COST_COST_SURFACE_H_
#define TALWEG_COST_COST_SURFACE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "talweg/cost/friction.h"
#include "talweg/cost/surface_description.h"
#include "talweg/grid/raster.h"

namespace talweg {

// Names cells that never change: views with the same identity show the same
// cells, so that what was derived from one may be reused for the other.
using SurfaceIdentity = uint64_t;
inline constexpr SurfaceIdentity kNoIdentity = 0;

// A number no other surface of this process has or will have.
SurfaceIdentity NewSurfaceIdentity();

// Borrowed cells with a borrowed description; both must outlive the view.
class CostSurfaceView {
 public:
  // `data` points to description.shape.cells() values of description.value_type,
  // row-major, aligned for their type. Give an identity only to cells that
  // stay as they are for as long as anybody may hold it.
  CostSurfaceView(const SurfaceDescription& description, const void* data,
                  SurfaceIdentity identity = kNoIdentity)
      : description_(&description), data_(data), identity_(identity) {}

  const SurfaceDescription& description() const { return *description_; }
  const Shape& shape() const { return description_->shape; }
  ValueType value_type() const { return description_->value_type; }
  const void* data() const { return data_; }
  SurfaceIdentity identity() const { return identity_; }

  // The cells as T. Precondition: ValueTypeOf<T>() == value_type().
  template <class T>
  RasterView<const T> cells() const {
    return {static_cast<const T*>(data_), shape()};
  }

  // The surface's own rule with what a request adds to it: its nodata values
  // come first.
  FrictionRule WithOwnNodata(FrictionRule rule) const;

  // Friction of one cell; for single look-ups, not for inner loops.
  // Precondition: the shape contains the cell.
  double FrictionAt(const Cell& cell, const FrictionRule& rule) const;

 private:
  const SurfaceDescription* description_;
  const void* data_;
  SurfaceIdentity identity_;
};

// Owned cells. T is any of the stored types.
class CostSurface {
 public:
  // Takes the cells; shape and value type of `description` are set from them.
  template <class T>
  explicit CostSurface(Raster<T> cells, SurfaceDescription description = {})
      : description_(std::move(description)), cells_(std::move(cells)) {
    description_.shape = std::get<Raster<T>>(cells_).shape();
    description_.value_type = ValueTypeOf<T>();
  }

  const SurfaceDescription& description() const { return description_; }
  CostSurfaceView view() const;

 private:
  SurfaceDescription description_;
  std::variant<Raster<uint8_t>, Raster<int8_t>, Raster<uint16_t>, Raster<int16_t>, Raster<uint32_t>,
               Raster<int32_t>, Raster<float>, Raster<double>>
      cells_;
};

}  // namespace talweg

#endif  // TALWEG_COST_COST_SURFACE_H_
