#include "talweg/store/surface_rules.h"

#include <algorithm>
#include <cmath>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::store {
namespace {

constexpr size_t kMaxIdBytes = 63;
constexpr size_t kRevisionDigits = 16;
constexpr std::string_view kPrefix = "surfaces/";

bool IsIdEnd(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsIdInside(char c) { return IsIdEnd(c) || c == '-'; }
bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsSurfaceId(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdBytes && IsIdEnd(id.front()) && IsIdEnd(id.back()) &&
         std::ranges::all_of(id, IsIdInside);
}

absl::Status CheckSize(std::string_view field, size_t size, size_t maximum) {
  if (size <= maximum) return absl::OkStatus();
  return LimitExceeded(field, std::to_string(size), std::to_string(maximum));
}

absl::Status CheckFinite(std::string_view field, double value, double minimum,
                         std::string_view valid_range) {
  if (std::isfinite(value) && value >= minimum) return absl::OkStatus();
  return InvalidValue(field, value, valid_range);
}

absl::Status ValidateCrs(const Crs& crs) {
  const int kind = static_cast<int>(crs.kind);
  if (kind < static_cast<int>(CrsKind::kNone) || kind > static_cast<int>(CrsKind::kLocal)) {
    return InvalidValue("crs.kind", std::to_string(kind), "1 (none) to 4 (local)");
  }
  TALWEG_RETURN_IF_ERROR(CheckSize("crs.wkt bytes", crs.wkt.size(), kMaxWktBytes));
  TALWEG_RETURN_IF_ERROR(CheckSize("crs.name bytes", crs.name.size(), kMaxCrsNameBytes));
  if (!std::isfinite(crs.linear_unit_m) || crs.linear_unit_m <= 0) {
    return InvalidValue("crs.linear_unit_m", crs.linear_unit_m, "a finite number > 0");
  }
  TALWEG_RETURN_IF_ERROR(
      CheckFinite("crs.semi_major_axis_m", crs.semi_major_axis_m, 0, "a finite number >= 0"));
  return CheckFinite("crs.inverse_flattening", crs.inverse_flattening, 0, "a finite number >= 0");
}

absl::Status ValidateLabels(const std::map<std::string, std::string>& labels) {
  TALWEG_RETURN_IF_ERROR(CheckSize("labels", labels.size(), kMaxLabels));
  size_t bytes = 0;
  for (const auto& [key, value] : labels) bytes += key.size() + value.size();
  return CheckSize("labels bytes", bytes, kMaxLabelsBytes);
}

}  // namespace

absl::Status ValidateSurfaceId(std::string_view field, std::string_view id) {
  if (IsSurfaceId(id)) return absl::OkStatus();
  return InvalidValue(field, id,
                      "1 to 63 of a-z, 0-9 and -, with neither the first nor the last a -");
}

absl::StatusOr<SurfaceName> ParseSurfaceName(std::string_view name) {
  const auto refuse = [&] {
    return InvalidValue("name", name,
                        "surfaces/{id} or surfaces/{id}@{revision}, with an id of 1 to 63 of "
                        "a-z, 0-9 and - and a revision of 16 hex digits");
  };
  if (!name.starts_with(kPrefix)) return refuse();
  std::string_view id = name.substr(kPrefix.size());
  std::string_view revision;
  if (const size_t at = id.find('@'); at != std::string_view::npos) {
    revision = id.substr(at + 1);
    id = id.substr(0, at);
    if (revision.size() != kRevisionDigits || !std::ranges::all_of(revision, IsHexDigit)) {
      return refuse();
    }
  }
  if (!IsSurfaceId(id)) return refuse();
  return SurfaceName{.id = std::string(id), .revision = std::string(revision)};
}

absl::Status ValidateDescription(const SurfaceDescription& description) {
  const int value_type = static_cast<int>(description.value_type);
  if (!IsValueType(value_type)) {
    return InvalidValue("value_type", std::to_string(value_type), "1 (uint8) to 8 (float64)");
  }
  const Shape& shape = description.shape;
  if (shape.rows < 0 || shape.cols < 0) {
    return ShapeOutOfRange(std::to_string(shape.rows), std::to_string(shape.cols),
                           "rows >= 1 and cols >= 1");
  }
  TALWEG_RETURN_IF_ERROR(
      MakeShape(static_cast<uint64_t>(shape.rows), static_cast<uint64_t>(shape.cols)).status());
  TALWEG_RETURN_IF_ERROR(GeoTransform::Make(description.geotransform.coefficients()).status());
  TALWEG_RETURN_IF_ERROR(ValidateCrs(description.crs));
  TALWEG_RETURN_IF_ERROR(CheckSize("nodata", description.nodata.size(), kMaxNodataValues));
  const int negative = static_cast<int>(description.negative);
  if (description.negative != NegativePolicy::kBarrier &&
      description.negative != NegativePolicy::kError) {
    return InvalidValue("negative", std::to_string(negative), "1 (barrier) or 2 (error)");
  }
  return ValidateLabels(description.labels);
}

}  // namespace talweg::store
