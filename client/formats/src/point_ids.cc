#include "point_ids.h"

#include <algorithm>

namespace talweg::formats {
namespace {

// Well-formed UTF-8, without overlong forms, surrogates, or code points beyond
// U+10FFFF: what protobuf strings require.
bool IsUtf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80       ? 1
                          : lead >> 5 == 6  ? 2
                          : lead >> 4 == 14 ? 3
                          : lead >> 3 == 30 ? 4
                                            : 0;
    if (length == 0 || i + length > text.size()) return false;
    uint32_t code = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fu);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    i += length;
  }
  return true;
}

}  // namespace

std::optional<std::string> IdProblem(std::string_view id) {
  if (id.size() > kMaxIdBytes) {
    return "an id has " + std::to_string(id.size()) + " bytes; at most " +
           std::to_string(kMaxIdBytes) + " are possible";
  }
  if (!IsUtf8(id)) return "an id is not UTF-8 text";
  return std::nullopt;
}

std::optional<std::string> IdRegister::Add(const std::string& id, const std::string& place) {
  const auto [entry, is_new] = places_.emplace(id, place);
  if (is_new) return std::nullopt;
  return entry->second;
}

}  // namespace talweg::formats
