// A cost surface as read from a file: ready to be uploaded.
#ifndef TALWEG_FORMATS_SURFACE_INPUT_H_
#define TALWEG_FORMATS_SURFACE_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::formats {

// Owns the bytes of a raster's cells; never initialised, since a reader fills
// all of them.
class CellBuffer {
 public:
  CellBuffer() = default;

  // OUT_OF_MEMORY when the bytes are not to be had.
  static absl::StatusOr<CellBuffer> Allocate(uint64_t size_bytes);

  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  size_t size_bytes() const { return size_bytes_; }
  std::string_view view() const { return {bytes_.get(), size_bytes_}; }

  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes_.get()), size_bytes_ / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.get()), size_bytes_ / sizeof(T)};
  }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_bytes_ = 0;
};

struct SurfaceInput {
  v1::SurfaceDescription description;
  CellBuffer cells;                   // little-endian, row-major, as the description says
  std::vector<std::string> warnings;  // whole sentences
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SURFACE_INPUT_H_
