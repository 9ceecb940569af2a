#include "talweg/cost/friction.h"

#include "talweg/base/errors.h"

namespace talweg {

absl::Status ValidateFrictionRule(const FrictionRule& rule) {
  if (rule.nodata_friction &&
      !(std::isfinite(*rule.nodata_friction) && *rule.nodata_friction >= 0)) {
    return InvalidValue("nodata_friction", *rule.nodata_friction, "a finite number >= 0");
  }
  return absl::OkStatus();
}

}  // namespace talweg
