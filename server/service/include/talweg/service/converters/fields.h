// Checks that every converter shares; `field` is the path in the request.
#ifndef TALWEG_SERVICE_CONVERTERS_FIELDS_H_
#define TALWEG_SERVICE_CONVERTERS_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talweg::service {

// "list[index].name": the path of a field of an element.
std::string ElementField(std::string_view list, int index, std::string_view name);

// INVALID_VALUE unless the value is finite and >= 0.
absl::Status CheckFiniteNonNegative(std::string_view field, double value);
// INVALID_VALUE unless the value is finite and > 0.
absl::Status CheckFinitePositive(std::string_view field, double value);
// INVALID_VALUE unless the value is finite.
absl::Status CheckFinite(std::string_view field, double value);
// INVALID_VALUE for a number that no value of the enum has (a newer client's).
absl::Status UnknownEnum(std::string_view field, int number, std::string_view valid_range);
// INVALID_VALUE when `text` is longer than `max_bytes`.
absl::Status CheckLength(std::string_view field, std::string_view text, uint64_t max_bytes);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_FIELDS_H_
