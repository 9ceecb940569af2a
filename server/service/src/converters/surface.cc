#include "talweg/service/converters/surface.h"

#include <cmath>
#include <string>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/cost/surface_statistics.h"
#include "talweg/service/converters/fields.h"

namespace talweg::service {
namespace {

absl::StatusOr<ValueType> ValueTypeFromProto(v1::ValueType proto) {
  constexpr std::string_view kRange =
      "VALUE_TYPE_UINT8, INT8, UINT16, INT16, UINT32, INT32, FLOAT32 or FLOAT64";
  if (proto == v1::VALUE_TYPE_UNSPECIFIED) return MissingField("description.value_type", kRange);
  const int number = proto;
  if (!IsValueType(number)) return UnknownEnum("description.value_type", number, kRange);
  return static_cast<ValueType>(number);  // the numbers are the same
}

absl::StatusOr<GeoTransform> GeoTransformFromProto(const v1::SurfaceDescription& proto) {
  if (proto.geotransform().empty()) return GeoTransform();
  if (proto.geotransform_size() != 6) {
    return InvalidValue("description.geotransform",
                        std::to_string(proto.geotransform_size()) + " numbers",
                        "six numbers in GDAL's order, or none");
  }
  std::array<double, 6> coefficients;
  for (int i = 0; i < 6; ++i) coefficients[static_cast<size_t>(i)] = proto.geotransform(i);
  const auto geotransform = GeoTransform::Make(coefficients);
  if (!geotransform.ok()) return PrependField(geotransform.status(), "description");
  return *geotransform;
}

absl::StatusOr<CrsKind> CrsKindFromProto(v1::CrsKind proto) {
  switch (proto) {
    case v1::CRS_KIND_UNSPECIFIED:
    case v1::CRS_KIND_NONE:
      return CrsKind::kNone;
    case v1::CRS_KIND_PROJECTED:
      return CrsKind::kProjected;
    case v1::CRS_KIND_GEOGRAPHIC:
      return CrsKind::kGeographic;
    case v1::CRS_KIND_LOCAL:
      return CrsKind::kLocal;
    default:
      return UnknownEnum("description.crs.kind", proto,
                         "CRS_KIND_NONE, PROJECTED, GEOGRAPHIC or LOCAL");
  }
}

absl::StatusOr<Crs> CrsFromProto(const v1::Crs& proto, const ServiceLimits& limits) {
  Crs crs;
  TALWEG_ASSIGN_OR_RETURN(crs.kind, CrsKindFromProto(proto.kind()));
  TALWEG_RETURN_IF_ERROR(CheckLength("description.crs.wkt", proto.wkt(), limits.max_crs_wkt_bytes));
  TALWEG_RETURN_IF_ERROR(
      CheckLength("description.crs.name", proto.name(), limits.max_crs_name_bytes));
  TALWEG_RETURN_IF_ERROR(
      CheckFiniteNonNegative("description.crs.linear_unit_m", proto.linear_unit_m()));
  TALWEG_RETURN_IF_ERROR(
      CheckFiniteNonNegative("description.crs.semi_major_axis_m", proto.semi_major_axis_m()));
  TALWEG_RETURN_IF_ERROR(
      CheckFiniteNonNegative("description.crs.inverse_flattening", proto.inverse_flattening()));
  crs.wkt = proto.wkt();
  crs.name = proto.name();
  crs.linear_unit_m = proto.linear_unit_m() > 0 ? proto.linear_unit_m() : 1;
  crs.semi_major_axis_m = proto.semi_major_axis_m();
  crs.inverse_flattening = proto.inverse_flattening();
  return crs;
}

absl::StatusOr<NegativePolicy> NegativePolicyFromProto(v1::NegativePolicy proto) {
  switch (proto) {
    case v1::NEGATIVE_POLICY_UNSPECIFIED:
    case v1::NEGATIVE_POLICY_BARRIER:
      return NegativePolicy::kBarrier;
    case v1::NEGATIVE_POLICY_ERROR:
      return NegativePolicy::kError;
    default:
      return UnknownEnum("description.negative", proto,
                         "NEGATIVE_POLICY_BARRIER or NEGATIVE_POLICY_ERROR");
  }
}

absl::Status CheckLabels(const v1::SurfaceDescription& proto, const ServiceLimits& limits) {
  TALWEG_RETURN_IF_ERROR(CheckLimit("max_labels", proto.labels().size(), limits.max_labels));
  uint64_t bytes = 0;
  for (const auto& [key, value] : proto.labels()) bytes += key.size() + value.size();
  return CheckLimit("max_labels_bytes", bytes, limits.max_labels_bytes);
}

}  // namespace

absl::StatusOr<SurfaceDescription> SurfaceDescriptionFromProto(const v1::SurfaceDescription& proto,
                                                               const ServiceLimits& limits) {
  SurfaceDescription description;
  TALWEG_ASSIGN_OR_RETURN(description.value_type, ValueTypeFromProto(proto.value_type()));
  const auto shape = MakeShape(proto.rows(), proto.cols());
  if (!shape.ok()) return PrependField(shape.status(), "description");
  description.shape = *shape;
  TALWEG_ASSIGN_OR_RETURN(description.geotransform, GeoTransformFromProto(proto));
  TALWEG_ASSIGN_OR_RETURN(description.crs, CrsFromProto(proto.crs(), limits));
  TALWEG_RETURN_IF_ERROR(
      CheckLimit("max_values", static_cast<uint64_t>(proto.nodata_size()), limits.max_values));
  description.nodata.assign(proto.nodata().begin(), proto.nodata().end());
  TALWEG_ASSIGN_OR_RETURN(description.negative, NegativePolicyFromProto(proto.negative()));
  TALWEG_RETURN_IF_ERROR(CheckLabels(proto, limits));
  description.labels.insert(proto.labels().begin(), proto.labels().end());
  return description;
}

v1::SurfaceDescription SurfaceDescriptionToProto(const SurfaceDescription& description) {
  v1::SurfaceDescription proto;
  proto.set_value_type(static_cast<v1::ValueType>(description.value_type));
  proto.set_rows(static_cast<uint64_t>(description.shape.rows));
  proto.set_cols(static_cast<uint64_t>(description.shape.cols));
  for (const double coefficient : description.geotransform.coefficients()) {
    proto.add_geotransform(coefficient);
  }
  v1::Crs& crs = *proto.mutable_crs();
  crs.set_kind(static_cast<v1::CrsKind>(description.crs.kind));
  crs.set_wkt(description.crs.wkt);
  crs.set_name(description.crs.name);
  crs.set_linear_unit_m(description.crs.linear_unit_m);
  crs.set_semi_major_axis_m(description.crs.semi_major_axis_m);
  crs.set_inverse_flattening(description.crs.inverse_flattening);
  proto.mutable_nodata()->Add(description.nodata.begin(), description.nodata.end());
  proto.set_negative(static_cast<v1::NegativePolicy>(description.negative));
  proto.mutable_labels()->insert(description.labels.begin(), description.labels.end());
  return proto;
}

v1::Surface SurfaceToProto(const store::SharedCostSurface& surface) {
  v1::Surface proto;
  proto.set_name(surface.name());
  proto.set_revision(surface.revision());
  *proto.mutable_description() = SurfaceDescriptionToProto(surface.description());
  const SurfaceStatistics& counts = surface.statistics();
  v1::SurfaceStatistics& statistics = *proto.mutable_statistics();
  statistics.set_passable_cells(static_cast<uint64_t>(counts.passable_cells));
  statistics.set_zero_cells(static_cast<uint64_t>(counts.zero_cells));
  statistics.set_nodata_cells(static_cast<uint64_t>(counts.nodata_cells));
  statistics.set_negative_cells(static_cast<uint64_t>(counts.negative_cells));
  statistics.set_infinite_cells(static_cast<uint64_t>(counts.infinite_cells));
  statistics.set_smallest_positive_friction(counts.smallest_positive_friction);
  statistics.set_largest_friction(counts.largest_friction);
  proto.set_xxh3_128(surface.checksum());
  proto.set_size_bytes(surface.description().size_bytes());
  const int64_t publish_ns = absl::ToUnixNanos(surface.publish_time());
  constexpr int64_t kNsPerSecond = 1'000'000'000;
  proto.mutable_publish_time()->set_seconds(publish_ns / kNsPerSecond);
  proto.mutable_publish_time()->set_nanos(static_cast<int32_t>(publish_ns % kNsPerSecond));
  for (std::string& warning : SurfaceWarnings(counts)) proto.add_warnings(std::move(warning));
  return proto;
}

absl::StatusOr<store::UploadChecksum> ChecksumFromProto(const v1::FinishUploadRequest& proto) {
  constexpr size_t kXxh3Bytes = 16;
  constexpr size_t kSha256Bytes = 32;
  store::UploadChecksum checksum;
  const auto check = [](std::string_view field, const std::string& bytes, size_t expected) {
    if (bytes.size() == expected) return absl::OkStatus();
    return InvalidValue(field, std::to_string(bytes.size()) + " bytes",
                        std::to_string(expected) + " bytes");
  };
  switch (proto.checksum_case()) {
    case v1::FinishUploadRequest::kXxh3128:
      TALWEG_RETURN_IF_ERROR(check("xxh3_128", proto.xxh3_128(), kXxh3Bytes));
      checksum.xxh3_128 = proto.xxh3_128();
      return checksum;
    case v1::FinishUploadRequest::kSha256:
      TALWEG_RETURN_IF_ERROR(check("sha256", proto.sha256(), kSha256Bytes));
      checksum.sha256 = proto.sha256();
      return checksum;
    case v1::FinishUploadRequest::CHECKSUM_NOT_SET:
      break;
  }
  return MissingField("checksum", "xxh3_128 (16 bytes) or sha256 (32 bytes) of all cells");
}

}  // namespace talweg::service
