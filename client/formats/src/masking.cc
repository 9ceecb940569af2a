#include "masking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "talweg/base/status_macros.h"

namespace talweg::formats {
namespace {

template <class T>
void Fill(std::span<T> cells, std::span<const uint8_t> hidden, T value) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (hidden[i] != 0) cells[i] = value;
  }
}

template <class T>
std::optional<T> AsExactly(std::optional<double> value) {
  if (!value || *value != std::trunc(*value) ||
      *value < static_cast<double>(std::numeric_limits<T>::min()) ||
      *value > static_cast<double>(std::numeric_limits<T>::max())) {
    return std::nullopt;
  }
  return static_cast<T>(*value);
}

// A value that no visible cell has, from the largest of the type downwards.
template <class T>
std::optional<T> UnusedValue(std::span<const T> cells, std::span<const uint8_t> hidden) {
  // For wide types the 65536 largest values are looked at, no more.
  constexpr size_t kCandidates = sizeof(T) == 1 ? 256 : 65536;
  constexpr T kMax = std::numeric_limits<T>::max();
  std::vector<bool> used(kCandidates, false);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (hidden[i] != 0) continue;
    const auto below_max = static_cast<uint64_t>(int64_t{kMax} - int64_t{cells[i]});
    if (below_max < kCandidates) used[below_max] = true;
  }
  const auto found = std::find(used.begin(), used.end(), false);
  if (found == used.end()) return std::nullopt;
  return static_cast<T>(int64_t{kMax} - (found - used.begin()));
}

template <class T>
struct Wider;
template <>
struct Wider<uint8_t> {
  using type = uint16_t;
};
template <>
struct Wider<int8_t> {
  using type = int16_t;
};
template <>
struct Wider<uint16_t> {
  using type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using type = double;
};
template <>
struct Wider<int32_t> {
  using type = double;
};

template <class T>
absl::StatusOr<MaskedCells> Hide(TypedCells typed, std::span<const uint8_t> hidden,
                                 std::optional<double> declared) {
  const std::span<T> cells = typed.cells.as<T>();
  if constexpr (std::is_floating_point_v<T>) {
    Fill(cells, hidden, std::numeric_limits<T>::quiet_NaN());
    return MaskedCells{std::move(typed), std::nullopt};
  } else {
    std::optional<T> value = AsExactly<T>(declared);
    if (!value) value = UnusedValue<T>(cells, hidden);
    if (value) {
      Fill(cells, hidden, *value);
      return MaskedCells{std::move(typed), static_cast<double>(*value)};
    }
    using Wide = typename Wider<T>::type;
    TALWEG_ASSIGN_OR_RETURN(CellBuffer wide, CellBuffer::Allocate(cells.size() * sizeof(Wide)));
    std::copy(cells.begin(), cells.end(), wide.as<Wide>().begin());
    return Hide<Wide>(TypedCells{ValueTypeOf<Wide>(), std::move(wide)}, hidden, std::nullopt);
  }
}

}  // namespace

absl::StatusOr<MaskedCells> HideCells(TypedCells typed, std::span<const uint8_t> hidden,
                                      std::optional<double> declared) {
  return VisitValueType(typed.type,
                        [&]<class T>(T) { return Hide<T>(std::move(typed), hidden, declared); });
}

}  // namespace talweg::formats
