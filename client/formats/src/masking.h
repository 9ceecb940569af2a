// Making cells impassable that a file's mask hides: a surface has no mask, it
// has nodata values.
#ifndef TALWEG_FORMATS_SRC_MASKING_H_
#define TALWEG_FORMATS_SRC_MASKING_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "narrow.h"

namespace talweg::formats {

struct MaskedCells {
  TypedCells typed;
  std::optional<double> nodata;  // the value hidden cells hold; absent: NaN
};

// Writes a value into each cell with a non-zero byte in `hidden` that no other
// cell has: NaN into floats; into integers `declared` (the file's own nodata)
// where the type holds it, else an unused value, the type's largest first.
// Integers that use every value of their type get the next wider one.
absl::StatusOr<MaskedCells> HideCells(TypedCells typed, std::span<const uint8_t> hidden,
                                      std::optional<double> declared);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_MASKING_H_
