#include "talweg/formats/surface_input.h"

#include <new>

#include "talweg/base/errors.h"

namespace talweg::formats {

absl::StatusOr<CellBuffer> CellBuffer::Allocate(uint64_t size_bytes) {
  CellBuffer buffer;
  buffer.bytes_.reset(new (std::nothrow) char[size_bytes]);
  if (!buffer.bytes_) return OutOfMemory("a raster", size_bytes);
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

}  // namespace talweg::formats
