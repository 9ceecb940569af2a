// From a stored value to a friction: one rule for what is impassable.
#ifndef TALWEG_COST_FRICTION_H_
#define TALWEG_COST_FRICTION_H_

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"

namespace talweg {

// Friction of an impassable cell inside kernels.
inline constexpr double kImpassableFriction = std::numeric_limits<double>::infinity();

// How stored values are read as frictions.
struct FrictionRule {
  std::vector<double> nodata = {};          // values that mean "no value"
  std::vector<double> barrier_values = {};  // values that are impassable whatever else
  std::optional<double> nodata_friction =
      std::nullopt;  // friction of cells without a value; absent: impassable

  friend bool operator==(const FrictionRule&, const FrictionRule&) = default;
};

// What a stored value is.
enum class CellClass { kPassable, kNodata, kBarrierValue, kNegative, kInfinite };

// Reads values of type T by a FrictionRule. Comparisons with nodata and
// barrier values are made in T: a float32 cell matches the float32 nearest to
// the value given; a value that T cannot hold matches nothing.
//
// Order of tests: barrier value, nodata or NaN, infinite, negative.
template <class T>
class FrictionReader {
 public:
  explicit FrictionReader(const FrictionRule& rule)
      : nodata_(Convert(rule.nodata)),
        barrier_values_(Convert(rule.barrier_values)),
        nodata_friction_(rule.nodata_friction.value_or(kImpassableFriction)) {}

  CellClass Classify(T value) const {
    if (Contains(barrier_values_, value)) return CellClass::kBarrierValue;
    if (Contains(nodata_, value)) return CellClass::kNodata;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return CellClass::kNodata;
      if (std::isinf(value)) return CellClass::kInfinite;
    }
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) return CellClass::kNegative;
    }
    return CellClass::kPassable;
  }

  // The friction, never NaN and never negative: kImpassableFriction for cells that
  // cannot be entered, +0.0 for -0.0.
  double operator()(T value) const {
    switch (Classify(value)) {
      case CellClass::kPassable:
        return static_cast<double>(value) + 0.0;
      case CellClass::kNodata:
        return nodata_friction_;
      default:
        return kImpassableFriction;
    }
  }

 private:
  static std::vector<T> Convert(const std::vector<double>& values) {
    std::vector<T> converted;
    for (const double value : values) {
      if constexpr (std::is_floating_point_v<T>) {
        if (!std::isnan(value)) converted.push_back(static_cast<T>(value));
      } else {
        if (value >= static_cast<double>(std::numeric_limits<T>::min()) &&
            value <= static_cast<double>(std::numeric_limits<T>::max()) &&
            value == std::trunc(value)) {
          converted.push_back(static_cast<T>(value));
        }
      }
    }
    return converted;
  }
  static bool Contains(const std::vector<T>& values, T value) {
    for (const T candidate : values) {
      if (candidate == value) return true;
    }
    return false;
  }

  std::vector<T> nodata_;
  std::vector<T> barrier_values_;
  double nodata_friction_;
};

// Whether a friction (not a stored value) can be entered.
constexpr bool IsPassable(double friction) { return friction < kImpassableFriction; }

// INVALID_VALUE when nodata_friction is not a finite number >= 0.
absl::Status ValidateFrictionRule(const FrictionRule& rule);

}  // namespace talweg

#endif  // TALWEG_COST_FRICTION_H_
