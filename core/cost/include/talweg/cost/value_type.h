// The number types a surface may be stored in, and the step from the run-time
// enum to the type.
#ifndef TALWEG_COST_VALUE_TYPE_H_
#define TALWEG_COST_VALUE_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace talweg {

// Numbers are part of the segment layout and of the wire format.
enum class ValueType : uint8_t {
  kUint8 = 1,
  kInt8 = 2,
  kUint16 = 3,
  kInt16 = 4,
  kUint32 = 5,
  kInt32 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
};

// Whether a number read from outside names a type.
constexpr bool IsValueType(int number) { return number >= 1 && number <= 8; }

// "uint8" ... "float64".
std::string_view ValueTypeName(ValueType type);

// Bytes of one cell.
size_t ValueSizeBytes(ValueType type);

// Calls f(T{}) with the C++ type of `type`; the enum becomes a type once per
// request, never in an inner loop.
template <class F>
decltype(auto) VisitValueType(ValueType type, F&& f) {
  switch (type) {
    case ValueType::kUint8:
      return f(uint8_t{});
    case ValueType::kInt8:
      return f(int8_t{});
    case ValueType::kUint16:
      return f(uint16_t{});
    case ValueType::kInt16:
      return f(int16_t{});
    case ValueType::kUint32:
      return f(uint32_t{});
    case ValueType::kInt32:
      return f(int32_t{});
    case ValueType::kFloat32:
      return f(float{});
    case ValueType::kFloat64:
      return f(double{});
  }
  std::abort();  // not reached: the enum is validated where it enters
}

template <class T>
constexpr ValueType ValueTypeOf() {
  if constexpr (std::is_same_v<T, uint8_t>)
    return ValueType::kUint8;
  else if constexpr (std::is_same_v<T, int8_t>)
    return ValueType::kInt8;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return ValueType::kUint16;
  else if constexpr (std::is_same_v<T, int16_t>)
    return ValueType::kInt16;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return ValueType::kUint32;
  else if constexpr (std::is_same_v<T, int32_t>)
    return ValueType::kInt32;
  else if constexpr (std::is_same_v<T, float>)
    return ValueType::kFloat32;
  else {
    static_assert(std::is_same_v<T, double>, "not a stored type");
    return ValueType::kFloat64;
  }
}

}  // namespace talweg

#endif  // TALWEG_COST_VALUE_TYPE_H_
