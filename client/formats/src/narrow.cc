#include "narrow.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

// Whether the integer comes back from T. The bound keeps the cast back inside
// the integer's range: 2^63 and 2^64 are the first values beyond it.
template <class T, class Integer>
bool IsExact(Integer value) {
  const T converted = static_cast<T>(value);
  constexpr T kBeyond =
      std::is_signed_v<Integer> ? T(9223372036854775808.0) : T(18446744073709551616.0);
  return converted < kBeyond && static_cast<Integer>(converted) == value;
}

// What one pass over the values finds out.
template <class Integer>
struct Extent {
  Integer least = 0;
  Integer greatest = 0;
  bool float32_exact = true;
  int64_t first_inexact = -1;  // index of the first value no float64 holds
};

template <class Integer>
Extent<Integer> Measure(std::span<const Integer> values, std::span<const uint8_t> mask) {
  Extent<Integer> extent;
  bool seen = false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!mask.empty() && mask[i] != 0) continue;
    const Integer value = values[i];
    if (!seen || value < extent.least) extent.least = value;
    if (!seen || value > extent.greatest) extent.greatest = value;
    seen = true;
    extent.float32_exact = extent.float32_exact && IsExact<float>(value);
    if (extent.first_inexact < 0 && !IsExact<double>(value)) {
      extent.first_inexact = static_cast<int64_t>(i);
    }
  }
  return extent;
}

template <class T, class Integer>
bool Fits(const Extent<Integer>& extent) {
  return std::in_range<T>(extent.least) && std::in_range<T>(extent.greatest);
}

template <class T, class Integer>
absl::StatusOr<TypedCells> Convert(std::span<const Integer> values, std::span<const uint8_t> mask) {
  TALWEG_ASSIGN_OR_RETURN(CellBuffer buffer, CellBuffer::Allocate(values.size() * sizeof(T)));
  const std::span<T> cells = buffer.as<T>();
  for (size_t i = 0; i < values.size(); ++i) {
    cells[i] = !mask.empty() && mask[i] != 0 ? T(0) : static_cast<T>(values[i]);
  }
  return TypedCells{ValueTypeOf<T>(), std::move(buffer)};
}

template <class Integer>
absl::StatusOr<TypedCells> Narrow(std::span<const Integer> values, std::span<const uint8_t> mask,
                                  const CellsOrigin& origin) {
  const Extent<Integer> extent = Measure(values, mask);
  if (Fits<uint8_t>(extent)) return Convert<uint8_t>(values, mask);
  if (Fits<int8_t>(extent)) return Convert<int8_t>(values, mask);
  if (Fits<uint16_t>(extent)) return Convert<uint16_t>(values, mask);
  if (Fits<int16_t>(extent)) return Convert<int16_t>(values, mask);
  if (Fits<uint32_t>(extent)) return Convert<uint32_t>(values, mask);
  if (Fits<int32_t>(extent)) return Convert<int32_t>(values, mask);
  if (extent.float32_exact) return Convert<float>(values, mask);
  if (extent.first_inexact < 0) return Convert<double>(values, mask);
  return ValueNotExact(origin.path,
                       std::to_string(values[static_cast<size_t>(extent.first_inexact)]),
                       extent.first_inexact / origin.cols, extent.first_inexact % origin.cols);
}

}  // namespace

absl::StatusOr<TypedCells> NarrowIntegers(std::span<const int64_t> values,
                                          std::span<const uint8_t> mask,
                                          const CellsOrigin& origin) {
  return Narrow(values, mask, origin);
}

absl::StatusOr<TypedCells> NarrowIntegers(std::span<const uint64_t> values,
                                          std::span<const uint8_t> mask,
                                          const CellsOrigin& origin) {
  return Narrow(values, mask, origin);
}

absl::StatusOr<TypedCells> NarrowDoubles(CellBuffer doubles) {
  const std::span<const double> values = std::as_const(doubles).as<double>();
  for (const double value : values) {
    const bool in_range = std::abs(value) <= double{std::numeric_limits<float>::max()};
    if (std::isfinite(value) && !(in_range && double{static_cast<float>(value)} == value)) {
      return TypedCells{ValueType::kFloat64, std::move(doubles)};
    }
  }
  TALWEG_ASSIGN_OR_RETURN(CellBuffer buffer, CellBuffer::Allocate(values.size() * sizeof(float)));
  const std::span<float> cells = buffer.as<float>();
  for (size_t i = 0; i < values.size(); ++i) cells[i] = static_cast<float>(values[i]);
  return TypedCells{ValueType::kFloat32, std::move(buffer)};
}

float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0) {  // zero and denormals: fraction * 2^-24
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t wide_exponent = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide_exponent << 23) | (fraction << 13));
}

}  // namespace talweg::formats
