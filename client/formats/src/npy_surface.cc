#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "file_descriptor.h"
#include "narrow.h"
#include "talweg/base/checked_math.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/formats/npy.h"
#include "talweg/grid/shape.h"

namespace talweg::formats {
namespace {

absl::Status ReadExactly(const std::string& path, int fd, std::span<char> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileUnreadable(path, std::strerror(errno));
    if (count == 0) return FileUnreadable(path, "it became shorter while it was read");
    done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

template <class T>
void SwapBytes(std::span<T> values) {
  for (T& value : values) {
    char* bytes = reinterpret_cast<char*>(&value);
    std::reverse(bytes, bytes + sizeof(T));
  }
}

// Column-major to row-major, in blocks that stay in the cache.
template <class T>
absl::StatusOr<CellBuffer> Transpose(const CellBuffer& columns, const Shape& shape) {
  TALWEG_ASSIGN_OR_RETURN(CellBuffer rows, CellBuffer::Allocate(columns.size_bytes()));
  constexpr int64_t kBlock = 32;
  const T* from = columns.as<T>().data();
  T* to = rows.as<T>().data();
  for (int64_t row0 = 0; row0 < shape.rows; row0 += kBlock) {
    for (int64_t col0 = 0; col0 < shape.cols; col0 += kBlock) {
      const int64_t row_end = std::min(row0 + kBlock, shape.rows);
      const int64_t col_end = std::min(col0 + kBlock, shape.cols);
      for (int64_t row = row0; row < row_end; ++row) {
        for (int64_t col = col0; col < col_end; ++col) {
          to[row * shape.cols + col] = from[col * shape.rows + row];
        }
      }
    }
  }
  return rows;
}

// Values in native byte order, row-major.
template <class T>
absl::StatusOr<CellBuffer> Arrange(CellBuffer raw, const NpyHeader& header, const Shape& shape) {
  if (header.big_endian && sizeof(T) > 1) SwapBytes(raw.as<T>());
  if (!header.fortran_order) return raw;
  return Transpose<T>(raw, shape);
}

absl::StatusOr<TypedCells> HalvesToFloats(const CellBuffer& halves) {
  const auto values = halves.as<uint16_t>();
  TALWEG_ASSIGN_OR_RETURN(CellBuffer floats, CellBuffer::Allocate(values.size() * sizeof(float)));
  std::transform(values.begin(), values.end(), floats.as<float>().begin(), HalfToFloat);
  return TypedCells{ValueType::kFloat32, std::move(floats)};
}

template <class T>
absl::StatusOr<TypedCells> Keep(CellBuffer raw, const NpyHeader& header, const Shape& shape) {
  TALWEG_ASSIGN_OR_RETURN(CellBuffer cells, Arrange<T>(std::move(raw), header, shape));
  return TypedCells{ValueTypeOf<T>(), std::move(cells)};
}

template <class T>
absl::StatusOr<TypedCells> KeepOrNarrow(const std::string& path, CellBuffer raw,
                                        const NpyHeader& header, const Shape& shape) {
  if constexpr (sizeof(T) < 8) {
    return Keep<T>(std::move(raw), header, shape);
  } else {
    TALWEG_ASSIGN_OR_RETURN(const CellBuffer cells, Arrange<T>(std::move(raw), header, shape));
    return NarrowIntegers(cells.as<T>(), {}, {path, shape.cols});
  }
}

absl::StatusOr<TypedCells> ToStoredType(const std::string& path, CellBuffer raw,
                                        const NpyHeader& header, const Shape& shape) {
  switch (header.kind) {
    case NpyHeader::Kind::kBool:
      return Keep<uint8_t>(std::move(raw), header, shape);
    case NpyHeader::Kind::kFloat: {
      if (header.value_bytes == 8) return Keep<double>(std::move(raw), header, shape);
      if (header.value_bytes == 4) return Keep<float>(std::move(raw), header, shape);
      TALWEG_ASSIGN_OR_RETURN(const CellBuffer halves,
                              Arrange<uint16_t>(std::move(raw), header, shape));
      return HalvesToFloats(halves);
    }
    case NpyHeader::Kind::kSigned:
      switch (header.value_bytes) {
        case 1:
          return KeepOrNarrow<int8_t>(path, std::move(raw), header, shape);
        case 2:
          return KeepOrNarrow<int16_t>(path, std::move(raw), header, shape);
        case 4:
          return KeepOrNarrow<int32_t>(path, std::move(raw), header, shape);
        default:
          return KeepOrNarrow<int64_t>(path, std::move(raw), header, shape);
      }
    case NpyHeader::Kind::kUnsigned:
      switch (header.value_bytes) {
        case 1:
          return KeepOrNarrow<uint8_t>(path, std::move(raw), header, shape);
        case 2:
          return KeepOrNarrow<uint16_t>(path, std::move(raw), header, shape);
        case 4:
          return KeepOrNarrow<uint32_t>(path, std::move(raw), header, shape);
        default:
          return KeepOrNarrow<uint64_t>(path, std::move(raw), header, shape);
      }
  }
  return FileContent(path, "has values of an unknown kind", "numbers");
}

std::string ShapeText(const std::vector<uint64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

absl::StatusOr<Shape> SurfaceShape(const std::string& path, const NpyHeader& header) {
  if (header.shape.size() != 2) {
    return FileContent(
        path,
        absl::StrCat("has the shape ", ShapeText(header.shape), ", ", header.shape.size(), "-d"),
        "a 2-d array (rows, cols)");
  }
  absl::StatusOr<Shape> shape = MakeShape(header.shape[0], header.shape[1]);
  if (!shape.ok()) return PrependContext(shape.status(), path);
  return shape;
}

}  // namespace

absl::StatusOr<SurfaceInput> ReadNpySurface(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return FileUnreadable(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return FileUnreadable(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return FileUnreadable(path, "it is not a regular file");
  const uint64_t file_bytes = static_cast<uint64_t>(status.st_size);

  std::string head(std::min<uint64_t>(file_bytes, kMaxNpyHeaderBytes), '\0');
  TALWEG_RETURN_IF_ERROR(ReadExactly(path, file.get(), head));
  TALWEG_ASSIGN_OR_RETURN(const NpyHeader header, ParseNpyHeader(path, head));
  TALWEG_ASSIGN_OR_RETURN(const Shape shape, SurfaceShape(path, header));

  // Checked against the file before anything is allocated: a header may lie.
  const uint64_t data_bytes =
      static_cast<uint64_t>(shape.cells()) * static_cast<uint64_t>(header.value_bytes);
  const uint64_t present_bytes = file_bytes - header.data_offset;
  if (present_bytes < data_bytes) {
    return FileContent(path, absl::StrCat("is cut short: ", present_bytes, " bytes of values"),
                       absl::StrCat(data_bytes, " for ", shape.rows, " x ", shape.cols));
  }
  TALWEG_ASSIGN_OR_RETURN(CellBuffer raw, CellBuffer::Allocate(data_bytes));
  if (::lseek(file.get(), static_cast<off_t>(header.data_offset), SEEK_SET) < 0) {
    return FileUnreadable(path, std::strerror(errno));
  }
  TALWEG_RETURN_IF_ERROR(ReadExactly(path, file.get(), {raw.data(), raw.size_bytes()}));
  TALWEG_ASSIGN_OR_RETURN(TypedCells typed, ToStoredType(path, std::move(raw), header, shape));

  SurfaceInput input;
  input.description.set_value_type(static_cast<v1::ValueType>(typed.type));
  input.description.set_rows(static_cast<uint64_t>(shape.rows));
  input.description.set_cols(static_cast<uint64_t>(shape.cols));
  input.description.mutable_crs()->set_kind(v1::CRS_KIND_NONE);
  input.cells = std::move(typed.cells);
  if (present_bytes > data_bytes) {
    input.warnings.push_back(absl::StrCat(path, " goes on for ", present_bytes - data_bytes,
                                          " bytes after its first array; they are ignored"));
  }
  return input;
}

}  // namespace talweg::formats
