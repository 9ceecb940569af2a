// Arrays of cells: Raster owns an xtensor container, RasterView borrows
// memory from whoever owns it. This is the only header that includes xtensor.
//
// Take a RasterView wherever memory is only read or filled (kernels cannot
// tell a test array from a shared segment); take a Raster to keep one.
#ifndef TALWEG_GRID_RASTER_H_
#define TALWEG_GRID_RASTER_H_

#include <cstddef>
#include <type_traits>
#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

#include "talweg/grid/shape.h"

namespace talweg {

// A borrowed row-major raster of shape {rows, cols}, rows `cols` apart.
// Copying copies the view, never cells. T may be const.
template <class T>
class RasterView {
 public:
  RasterView() = default;
  RasterView(T* data, Shape shape) : data_(data), shape_(shape) {}

  // A view that allows writing is also one that allows reading.
  operator RasterView<const T>() const { return {data_, shape_}; }

  const Shape& shape() const { return shape_; }
  T* data() const { return data_; }
  T& operator()(int64_t row, int64_t col) const { return data_[row * shape_.cols + col]; }
  T& operator[](CellIndex index) const { return data_[index]; }

  // The same cells as an xtensor expression of shape {rows, cols}.
  auto AsXtensor() const {
    const std::array<size_t, 2> shape = {static_cast<size_t>(shape_.rows),
                                         static_cast<size_t>(shape_.cols)};
    return xt::adapt(data_, static_cast<size_t>(shape_.cells()), xt::no_ownership(), shape);
  }

 private:
  T* data_ = nullptr;
  Shape shape_;
};

// An owned raster.
template <class T>
class Raster {
 public:
  Raster() = default;
  // Cells are left uninitialised.
  explicit Raster(Shape shape)
      : cells_(xt::xtensor<T, 2>::from_shape(
            {static_cast<size_t>(shape.rows), static_cast<size_t>(shape.cols)})) {}
  Raster(Shape shape, T value) : Raster(shape) { cells_.fill(value); }

  Shape shape() const {
    return {static_cast<int64_t>(cells_.shape(0)), static_cast<int64_t>(cells_.shape(1))};
  }
  RasterView<T> view() { return {cells_.data(), shape()}; }
  RasterView<const T> view() const { return {cells_.data(), shape()}; }
  T& operator()(int64_t row, int64_t col) { return view()(row, col); }
  const T& operator()(int64_t row, int64_t col) const { return view()(row, col); }

  xt::xtensor<T, 2>& AsXtensor() { return cells_; }
  const xt::xtensor<T, 2>& AsXtensor() const { return cells_; }

 private:
  xt::xtensor<T, 2> cells_;
};

}  // namespace talweg

#endif  // TALWEG_GRID_RASTER_H_
