// Sizes are 64-bit and every product or sum of them is checked.
#ifndef TALWEG_BASE_CHECKED_MATH_H_
#define TALWEG_BASE_CHECKED_MATH_H_

#include <concepts>
#include <optional>

namespace talweg {

// a * b, or nothing when it does not fit T.
template <std::integral T>
std::optional<T> CheckedMultiply(T a, T b) {
  T product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// a + b, or nothing when it does not fit T.
template <std::integral T>
std::optional<T> CheckedAdd(T a, T b) {
  T sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace talweg

#endif  // TALWEG_BASE_CHECKED_MATH_H_
