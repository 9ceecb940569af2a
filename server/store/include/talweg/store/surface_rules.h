// What a surface may be called and what its description may say.
#ifndef TALWEG_STORE_SURFACE_RULES_H_
#define TALWEG_STORE_SURFACE_RULES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"

namespace talweg::store {

inline constexpr size_t kMaxWktBytes = size_t{64} * 1024;
inline constexpr size_t kMaxCrsNameBytes = 1024;
inline constexpr size_t kMaxNodataValues = 256;
inline constexpr size_t kMaxLabels = 64;
inline constexpr size_t kMaxLabelsBytes = 4096;  // keys and values together
inline constexpr size_t kMaxRequestIdBytes = 128;

// INVALID_VALUE unless `id` is [a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?. No path,
// escape or foreign byte fits that.
absl::Status ValidateSurfaceId(std::string_view field, std::string_view id);

struct SurfaceName {
  std::string id;
  std::string revision;  // empty: the current one

  // "surfaces/{id}", without the revision.
  std::string WithoutRevision() const { return "surfaces/" + id; }
};

// Reads "surfaces/{id}" or "surfaces/{id}@{16 hex digits}". INVALID_VALUE.
absl::StatusOr<SurfaceName> ParseSurfaceName(std::string_view name);

// INVALID_VALUE, SHAPE_OUT_OF_RANGE, LIMIT_EXCEEDED; fields are named as in
// SurfaceDescription.
absl::Status ValidateDescription(const SurfaceDescription& description);

}  // namespace talweg::store

#endif  // TALWEG_STORE_SURFACE_RULES_H_
