// Cost fields: runs of cells and the summary out.
#ifndef TALWEG_SERVICE_CONVERTERS_FIELD_H_
#define TALWEG_SERVICE_CONVERTERS_FIELD_H_

#include <cstdint>
#include <span>

#include "talweg/v1/path.pb.h"

namespace talweg::service {

// Borrowed cells of a field, row-major; absent parts are empty.
struct FieldCells {
  std::span<const double> costs;        // +inf not reached, NaN impassable
  std::span<const uint8_t> back_links;  // codes as in FieldBlock
  std::span<const int32_t> allocation;  // index into the sources, -1 not reached

  // The run of cells [first, first + count). Precondition: they exist.
  FieldCells Run(uint64_t first, uint64_t count) const;
};

// Cells per block, so that a block with these parts stays below kBlockBytes.
uint64_t FieldBlockCells(const FieldCells& cells);

// All of `cells`, with their CRC-32; the first of them is the field's cell
// number `first_cell`.
v1::FieldBlock FieldBlockToProto(uint64_t first_cell, const FieldCells& cells);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_FIELD_H_
