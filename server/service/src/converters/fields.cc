#include "talweg/service/converters/fields.h"

#include <cmath>

#include "talweg/base/errors.h"

namespace talweg::service {

std::string ElementField(std::string_view list, int index, std::string_view name) {
  std::string field(list);
  field += "[" + std::to_string(index) + "]";
  if (!name.empty()) field.append(".").append(name);
  return field;
}

absl::Status CheckFiniteNonNegative(std::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return InvalidValue(field, value, "a finite number >= 0");
}

absl::Status CheckFinitePositive(std::string_view field, double value) {
  if (std::isfinite(value) && value > 0) return absl::OkStatus();
  return InvalidValue(field, value, "a finite number > 0");
}

absl::Status CheckFinite(std::string_view field, double value) {
  if (std::isfinite(value)) return absl::OkStatus();
  return InvalidValue(field, value, "a finite number");
}

absl::Status UnknownEnum(std::string_view field, int number, std::string_view valid_range) {
  return InvalidValue(field, std::to_string(number), valid_range);
}

absl::Status CheckLength(std::string_view field, std::string_view text, uint64_t max_bytes) {
  if (text.size() <= max_bytes) return absl::OkStatus();
  return InvalidValue(field, std::to_string(text.size()) + " bytes",
                      "at most " + std::to_string(max_bytes) + " bytes");
}

}  // namespace talweg::service
