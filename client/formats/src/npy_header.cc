// The header of a .npy file is a Python literal, e.g.
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
// and this is a parser of just that much Python.
#include <cctype>
#include <charconv>
#include <optional>

#include "absl/strings/str_cat.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/formats/npy.h"

namespace talweg::formats {
namespace {

constexpr size_t kPreambleBytes = 10;      // magic, version, 2 bytes of length
constexpr size_t kLongPreambleBytes = 12;  // versions 2 and 3: 4 bytes of length

class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  bool Take(char c) {
    SkipSpace();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // A quoted string without escapes: NumPy writes none in a dtype.
  std::optional<std::string_view> TakeString() {
    SkipSpace();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content;
  }

  std::optional<bool> TakeBool() {
    SkipSpace();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true},
                                      std::pair<std::string_view, bool>{"False", false}}) {
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return value;
      }
    }
    return std::nullopt;
  }

  std::optional<std::vector<uint64_t>> TakeTuple() {
    if (!Take('(')) return std::nullopt;
    std::vector<uint64_t> values;
    while (!Take(')')) {
      SkipSpace();
      uint64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc()) return std::nullopt;
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      // Python 2 wrote long integers with an L.
      if (!text_.empty() && text_.front() == 'L') text_.remove_prefix(1);
      values.push_back(value);
      if (!Take(',')) {
        if (!Take(')')) return std::nullopt;
        break;
      }
    }
    return values;
  }

  std::string_view rest() const { return text_; }

 private:
  void SkipSpace() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) {
      text_.remove_prefix(1);
    }
  }

  std::string_view text_;
};

uint32_t LittleEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// "<f8" and the like. Empty: not a type that is read.
bool ParseDescr(std::string_view descr, NpyHeader& header) {
  if (descr.size() != 3) return false;
  switch (descr[0]) {
    case '<':
    case '|':
    case '=':
      header.big_endian = false;
      break;
    case '>':
      header.big_endian = true;
      break;
    default:
      return false;
  }
  header.value_bytes = descr[2] - '0';
  const bool is_integer_size = header.value_bytes == 1 || header.value_bytes == 2 ||
                               header.value_bytes == 4 || header.value_bytes == 8;
  switch (descr[1]) {
    case 'b':
      header.kind = NpyHeader::Kind::kBool;
      return header.value_bytes == 1;
    case 'i':
      header.kind = NpyHeader::Kind::kSigned;
      return is_integer_size;
    case 'u':
      header.kind = NpyHeader::Kind::kUnsigned;
      return is_integer_size;
    case 'f':
      header.kind = NpyHeader::Kind::kFloat;
      return is_integer_size && header.value_bytes != 1;
    default:
      return false;
  }
}

constexpr std::string_view kTypes =
    "bool, int8 to int64, uint8 to uint64, float16, float32 or float64";

absl::Status ParseDictionary(std::string_view path, std::string_view text, NpyHeader& header) {
  const absl::Status malformed =
      FileContent(path, "the header of the array is damaged",
                  "a dictionary of 'descr', 'fortran_order' and 'shape', as numpy.save writes it");
  LiteralReader reader(text);
  if (!reader.Take('{')) return malformed;
  bool has_descr = false, has_order = false, has_shape = false;
  while (!reader.Take('}')) {
    const auto key = reader.TakeString();
    if (!key || !reader.Take(':')) return malformed;
    if (*key == "descr") {
      const auto descr = reader.TakeString();
      if (!descr) {
        return reader.Take('[') ? FileContent(path, "is a structured array", kTypes) : malformed;
      }
      if (!ParseDescr(*descr, header)) {
        return FileContent(path,
                           absl::StrCat("has values of type \"",
                                        absl::string_view(descr->data(), descr->size()), "\""),
                           kTypes);
      }
      has_descr = true;
    } else if (*key == "fortran_order") {
      const auto order = reader.TakeBool();
      if (!order) return malformed;
      header.fortran_order = *order;
      has_order = true;
    } else if (*key == "shape") {
      auto shape = reader.TakeTuple();
      if (!shape) return malformed;
      header.shape = *std::move(shape);
      has_shape = true;
    } else {
      return malformed;
    }
    if (!reader.Take(',')) {
      if (!reader.Take('}')) return malformed;
      break;
    }
  }
  return has_descr && has_order && has_shape ? absl::OkStatus() : malformed;
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(std::string_view path, std::string_view bytes) {
  if (!bytes.starts_with(kNpyMagic)) {
    return FileContent(path, "is not a .npy file", "a file that numpy.save wrote");
  }
  if (bytes.size() < kPreambleBytes) {
    return FileContent(path, "is cut short within its header", "a whole .npy file");
  }
  const int version = bytes[6];
  if (version < 1 || version > 3) {
    return FileContent(path, absl::StrCat("is of .npy version ", version), "version 1, 2 or 3");
  }
  const size_t preamble = version == 1 ? kPreambleBytes : kLongPreambleBytes;
  if (bytes.size() < preamble) {
    return FileContent(path, "is cut short within its header", "a whole .npy file");
  }
  const uint32_t length = LittleEndian(bytes.substr(8, preamble - 8));
  if (length > kMaxNpyHeaderBytes - preamble) {
    return FileContent(path, absl::StrCat("has a header of ", length, " bytes"),
                       absl::StrCat("at most ", kMaxNpyHeaderBytes - preamble));
  }
  if (bytes.size() < preamble + length) {
    return FileContent(path, "is cut short within its header", "a whole .npy file");
  }
  NpyHeader header;
  header.data_offset = preamble + length;
  TALWEG_RETURN_IF_ERROR(ParseDictionary(path, bytes.substr(preamble, length), header));
  return header;
}

std::string NpyHeaderBytes(std::string_view descr, const std::vector<uint64_t>& shape) {
  std::string dictionary = "{'descr': '";
  dictionary += descr;
  dictionary += "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) dictionary += ", ";
    dictionary += std::to_string(shape[i]);
  }
  if (shape.size() == 1) dictionary += ',';
  dictionary += "), }";
  constexpr size_t kAlignment = 64;
  const size_t unpadded = kPreambleBytes + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string bytes(kNpyMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() & 0xff);
  bytes += static_cast<char>(dictionary.size() >> 8);
  return bytes + dictionary;
}

}  // namespace talweg::formats
