// From types that surfaces are not stored in to the narrowest that is exact.
#ifndef TALWEG_FORMATS_SRC_NARROW_H_
#define TALWEG_FORMATS_SRC_NARROW_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "talweg/cost/value_type.h"
#include "talweg/formats/surface_input.h"

namespace talweg::formats {

struct TypedCells {
  ValueType type = ValueType::kFloat64;
  CellBuffer cells;
};

// Whose values these are, for messages.
struct CellsOrigin {
  std::string_view path;
  int64_t cols = 1;
};

// Integers of 64 bits by their values. Cells with a non-zero byte in `mask`
// (empty: none) do not count and come out as 0.
absl::StatusOr<TypedCells> NarrowIntegers(std::span<const int64_t> values,
                                          std::span<const uint8_t> mask, const CellsOrigin& origin);
absl::StatusOr<TypedCells> NarrowIntegers(std::span<const uint64_t> values,
                                          std::span<const uint8_t> mask, const CellsOrigin& origin);

// As float32 when that holds each value exactly, else as they are.
absl::StatusOr<TypedCells> NarrowDoubles(CellBuffer doubles);

// IEEE 754 binary16 to binary32; exact.
float HalfToFloat(uint16_t half);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_NARROW_H_
