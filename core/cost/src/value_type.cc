#include "talweg/cost/value_type.h"

#include <array>

namespace talweg {

std::string_view ValueTypeName(ValueType type) {
  constexpr std::array<std::string_view, 9> kNames = {
      "", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"};
  return kNames[static_cast<size_t>(type)];
}

size_t ValueSizeBytes(ValueType type) {
  return VisitValueType(type, [](auto value) { return sizeof(value); });
}

}  // namespace talweg
