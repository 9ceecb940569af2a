// Surfaces: descriptions in, stored revisions out.
#ifndef TALWEG_SERVICE_CONVERTERS_SURFACE_H_
#define TALWEG_SERVICE_CONVERTERS_SURFACE_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"
#include "talweg/service/limits.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/store/store.h"
#include "talweg/v1/surface.pb.h"

namespace talweg::service {

// Field paths are below "description". MISSING_FIELD, INVALID_VALUE,
// SHAPE_OUT_OF_RANGE, SINGULAR_GEOTRANSFORM, LIMIT_EXCEEDED.
absl::StatusOr<SurfaceDescription> SurfaceDescriptionFromProto(const v1::SurfaceDescription& proto,
                                                               const ServiceLimits& limits);

v1::SurfaceDescription SurfaceDescriptionToProto(const SurfaceDescription& description);

v1::Surface SurfaceToProto(const store::SharedCostSurface& surface);

// MISSING_FIELD when neither is set, INVALID_VALUE for a wrong length.
absl::StatusOr<store::UploadChecksum> ChecksumFromProto(const v1::FinishUploadRequest& proto);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_CONVERTERS_SURFACE_H_
