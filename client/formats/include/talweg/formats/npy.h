// NumPy's .npy format, versions 1 to 3, read and written without GDAL.
#ifndef TALWEG_FORMATS_NPY_H_
#define TALWEG_FORMATS_NPY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/formats/surface_input.h"

namespace talweg::formats {

// What the header of an array says.
struct NpyHeader {
  enum class Kind : uint8_t { kBool, kSigned, kUnsigned, kFloat };

  Kind kind = Kind::kFloat;
  int value_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
  uint64_t data_offset = 0;  // bytes from the start of the file
};

// The first bytes of every .npy file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// A header is at most this long here; NumPy itself stops at 10000 characters.
inline constexpr size_t kMaxNpyHeaderBytes = 64 * 1024;

// Parses the start of a file: `bytes` holds its first kMaxNpyHeaderBytes, or
// all of a shorter one. FILE_CONTENT, naming `path`, for what is no array of
// numbers.
absl::StatusOr<NpyHeader> ParseNpyHeader(std::string_view path, std::string_view bytes);

// Reads a 2-d array of bool, (u)int8 to (u)int64, float16, float32 or float64,
// in C or Fortran order and either byte order. Types that surfaces are not
// stored in become the narrowest that holds their values exactly:
//   bool -> uint8; float16 -> float32;
//   64-bit integers -> by their values, the first of uint8, int8, uint16,
//   int16, uint32, int32, float32, float64; VALUE_NOT_EXACT when none does.
// NaN and infinities stay: they are impassable.
absl::StatusOr<SurfaceInput> ReadNpySurface(const std::string& path);

// The header of a C-order little-endian array, e.g. ("<f8", {3, 4}); padded so
// that the data starts at a multiple of 64 bytes.
std::string NpyHeaderBytes(std::string_view descr, const std::vector<uint64_t>& shape);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_NPY_H_
