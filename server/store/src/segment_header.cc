#include "talweg/store/segment_header.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/store/surface_rules.h"

namespace talweg::store {
namespace {

static_assert(std::endian::native == std::endian::little, "segments are little-endian");

constexpr size_t kLabelPrefixBytes = 2 * sizeof(uint32_t);

uint64_t RoundUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

uint64_t LabelsBytes(const std::map<std::string, std::string>& labels) {
  uint64_t bytes = 0;
  for (const auto& [key, value] : labels) bytes += kLabelPrefixBytes + key.size() + value.size();
  return bytes;
}

// Appends to the metadata region.
class MetadataWriter {
 public:
  explicit MetadataWriter(std::span<std::byte> region) : region_(region) {}
  void Write(const void* data, size_t size) {
    if (size > 0) std::memcpy(region_.data() + position_, data, size);
    position_ += size;
  }
  void WriteSize(size_t size) {
    const auto size32 = static_cast<uint32_t>(size);
    Write(&size32, sizeof size32);
  }

 private:
  std::span<std::byte> region_;
  size_t position_ = 0;
};

// Reads the metadata region; every read is checked.
class MetadataReader {
 public:
  explicit MetadataReader(std::span<const std::byte> region) : region_(region) {}
  bool Read(void* data, size_t size) {
    if (size > region_.size() - position_) return false;
    if (size > 0) std::memcpy(data, region_.data() + position_, size);
    position_ += size;
    return true;
  }
  bool ReadText(std::string& text, uint64_t size) {
    if (size > region_.size() - position_) return false;
    text.resize(static_cast<size_t>(size));
    return Read(text.data(), text.size());
  }
  bool at_end() const { return position_ == region_.size(); }
  size_t position() const { return position_; }

 private:
  std::span<const std::byte> region_;
  size_t position_ = 0;
};

void WriteMetadata(const SurfaceDescription& description, std::span<std::byte> region) {
  MetadataWriter writer(region);
  writer.Write(description.nodata.data(), description.nodata.size() * sizeof(double));
  writer.Write(description.crs.wkt.data(), description.crs.wkt.size());
  writer.Write(description.crs.name.data(), description.crs.name.size());
  for (const auto& [key, value] : description.labels) {
    writer.WriteSize(key.size());
    writer.WriteSize(value.size());
    writer.Write(key.data(), key.size());
    writer.Write(value.data(), value.size());
  }
}

// The labels fill exactly labels_bytes of the metadata.
absl::Status ReadLabels(const SegmentHeader& header, MetadataReader& reader,
                        std::map<std::string, std::string>& labels) {
  const size_t start = reader.position();
  for (uint64_t i = 0; i < header.label_count; ++i) {
    uint32_t key_bytes = 0;
    uint32_t value_bytes = 0;
    std::string key;
    std::string value;
    if (!reader.Read(&key_bytes, sizeof key_bytes) ||
        !reader.Read(&value_bytes, sizeof value_bytes) || !reader.ReadText(key, key_bytes) ||
        !reader.ReadText(value, value_bytes)) {
      return SegmentInvalid("its labels are cut short");
    }
    if (!labels.emplace(std::move(key), std::move(value)).second) {
      return SegmentInvalid("a label occurs twice");
    }
  }
  if (reader.position() - start != header.labels_bytes) {
    return SegmentInvalid("its labels have another size than stated");
  }
  return absl::OkStatus();
}

absl::Status ReadMetadata(const SegmentHeader& header, std::span<const std::byte> region,
                          SurfaceDescription& description) {
  if (header.nodata_count > kMaxNodataValues || header.wkt_bytes > kMaxWktBytes ||
      header.crs_name_bytes > kMaxCrsNameBytes || header.label_count > kMaxLabels) {
    return SegmentInvalid("its metadata is over the limits");
  }
  MetadataReader reader(region);
  description.nodata.resize(static_cast<size_t>(header.nodata_count));
  if (!reader.Read(description.nodata.data(), description.nodata.size() * sizeof(double)) ||
      !reader.ReadText(description.crs.wkt, header.wkt_bytes) ||
      !reader.ReadText(description.crs.name, header.crs_name_bytes)) {
    return SegmentInvalid("its metadata is cut short");
  }
  TALWEG_RETURN_IF_ERROR(ReadLabels(header, reader, description.labels));
  if (!reader.at_end()) return SegmentInvalid("its metadata has another size than stated");
  return absl::OkStatus();
}

// Magic, version, kind and the fields that must hold one value.
absl::Status CheckFixedFields(const SegmentHeader& header) {
  if (header.magic != kSegmentMagic) return SegmentInvalid("it is no segment of this program");
  if (header.layout_version != kSegmentLayoutVersion) {
    return SegmentInvalid("its layout version is " + std::to_string(header.layout_version) +
                          "; expected " + std::to_string(kSegmentLayoutVersion));
  }
  if (header.kind != SegmentKind::kSurface) return SegmentInvalid("it holds no surface");
  if (std::ranges::any_of(header.reserved, [](uint8_t byte) { return byte != 0; })) {
    return SegmentInvalid("its reserved bytes are not 0");
  }
  if (header.depth != 1) return SegmentInvalid("its depth is not 1");
  if (header.metadata_offset_bytes != kHeaderBytes) {
    return SegmentInvalid("its metadata is not where it belongs");
  }
  return absl::OkStatus();
}

// All sizes follow from type, shape and metadata; what the header says must be
// that and nothing else.
absl::Status CheckSizes(const SegmentHeader& header, const SurfaceDescription& description,
                        uint64_t mapped_bytes) {
  const uint64_t value_bytes = ValueSizeBytes(description.value_type);
  const SegmentPlan plan = PlanSegment(description);
  if (header.col_stride_bytes != value_bytes ||
      header.row_stride_bytes != value_bytes * header.cols ||
      header.depth_stride_bytes != description.size_bytes()) {
    return SegmentInvalid("its strides do not fit its shape and type");
  }
  if (header.data_bytes != description.size_bytes() ||
      header.metadata_bytes != plan.metadata_bytes ||
      header.data_offset_bytes != plan.data_offset_bytes ||
      header.segment_bytes != plan.segment_bytes || header.segment_bytes != mapped_bytes) {
    return SegmentInvalid("its sizes do not fit its shape and type");
  }
  return absl::OkStatus();
}

absl::Status CheckStatistics(const SurfaceStatistics& statistics, int64_t cells) {
  const std::array<int64_t, 4> counts = {statistics.passable_cells, statistics.nodata_cells,
                                         statistics.negative_cells, statistics.infinite_cells};
  int64_t sum = 0;
  for (const int64_t count : counts) {
    if (count < 0 || count > cells - sum) {
      return SegmentInvalid("its statistics do not fit its shape");
    }
    sum += count;
  }
  if (sum != cells || statistics.zero_cells < 0 ||
      statistics.zero_cells > statistics.passable_cells) {
    return SegmentInvalid("its statistics do not fit its shape");
  }
  const double smallest = statistics.smallest_positive_friction;
  const double largest = statistics.largest_friction;
  if (!std::isfinite(smallest) || !std::isfinite(largest) || !(smallest >= 0) ||
      !(smallest <= largest)) {
    return SegmentInvalid("its friction range makes no sense");
  }
  return absl::OkStatus();
}

absl::StatusOr<SurfaceDescription> ReadDescription(const SegmentHeader& header,
                                                   std::span<const std::byte> metadata) {
  if (!IsValueType(header.value_type)) return SegmentInvalid("its value type is unknown");
  const absl::StatusOr<Shape> shape = MakeShape(header.rows, header.cols);
  if (!shape.ok()) return SegmentInvalid("its shape is out of range");
  const absl::StatusOr<GeoTransform> geotransform = GeoTransform::Make(header.geotransform);
  if (!geotransform.ok()) return SegmentInvalid("its geotransform has no inverse");
  SurfaceDescription description;
  description.shape = *shape;
  description.value_type = static_cast<ValueType>(header.value_type);
  description.geotransform = *geotransform;
  description.crs.kind = static_cast<CrsKind>(header.crs_kind);
  description.crs.linear_unit_m = header.linear_unit_m;
  description.crs.semi_major_axis_m = header.semi_major_axis_m;
  description.crs.inverse_flattening = header.inverse_flattening;
  description.negative = static_cast<NegativePolicy>(header.negative_policy);
  TALWEG_RETURN_IF_ERROR(ReadMetadata(header, metadata, description));
  if (const absl::Status valid = ValidateDescription(description); !valid.ok()) {
    return SegmentInvalid("its description is not valid: " + std::string(valid.message()));
  }
  return description;
}

}  // namespace

SegmentPlan PlanSegment(const SurfaceDescription& description) {
  SegmentPlan plan;
  plan.metadata_bytes = description.nodata.size() * sizeof(double) + description.crs.wkt.size() +
                        description.crs.name.size() + LabelsBytes(description.labels);
  plan.data_offset_bytes = RoundUp(kHeaderBytes + plan.metadata_bytes, kDataAlignmentBytes);
  plan.segment_bytes = plan.data_offset_bytes + description.size_bytes();
  return plan;
}

Digest128 RevisionChecksum(const SurfaceDescription& description, const Digest128& cells_digest) {
  // A record of fixed layout, so that no two descriptions run together.
  struct Record {
    uint64_t value_type;
    uint64_t crs_kind;
    uint64_t negative_policy;
    uint64_t rows;
    uint64_t cols;
    uint64_t nodata_count;
    uint64_t wkt_bytes;
    std::array<double, 6> geotransform;
    double linear_unit_m;
    double semi_major_axis_m;
    double inverse_flattening;
    Digest128 cells_digest;
  };
  static_assert(sizeof(Record) == 144, "no padding may enter the checksum");
  const Crs& crs = description.crs;
  const Record record = {.value_type = static_cast<uint64_t>(description.value_type),
                         .crs_kind = static_cast<uint64_t>(crs.kind),
                         .negative_policy = static_cast<uint64_t>(description.negative),
                         .rows = static_cast<uint64_t>(description.shape.rows),
                         .cols = static_cast<uint64_t>(description.shape.cols),
                         .nodata_count = description.nodata.size(),
                         .wkt_bytes = crs.wkt.size(),
                         .geotransform = description.geotransform.coefficients(),
                         .linear_unit_m = crs.linear_unit_m,
                         .semi_major_axis_m = crs.semi_major_axis_m,
                         .inverse_flattening = crs.inverse_flattening,
                         .cells_digest = cells_digest};
  Xxh3Hasher hasher;
  hasher.Update(std::as_bytes(std::span(&record, 1)));
  hasher.Update(std::as_bytes(std::span(description.nodata)));
  hasher.Update(crs.wkt);
  return hasher.Digest();
}

Digest128 WriteHeader(const SurfaceDescription& description, const SurfaceStatistics& statistics,
                      const Digest128& cells_digest, std::span<std::byte> segment) {
  const SegmentPlan plan = PlanSegment(description);
  const uint64_t value_bytes = ValueSizeBytes(description.value_type);
  const auto cols = static_cast<uint64_t>(description.shape.cols);
  SegmentHeader header{};
  header.magic = kSegmentMagic;
  header.layout_version = kSegmentLayoutVersion;
  header.kind = SegmentKind::kSurface;
  header.value_type = static_cast<uint8_t>(description.value_type);
  header.crs_kind = static_cast<uint8_t>(description.crs.kind);
  header.negative_policy = static_cast<uint8_t>(description.negative);
  header.depth = 1;
  header.rows = static_cast<uint64_t>(description.shape.rows);
  header.cols = cols;
  header.depth_stride_bytes = description.size_bytes();
  header.row_stride_bytes = value_bytes * cols;
  header.col_stride_bytes = value_bytes;
  header.segment_bytes = plan.segment_bytes;
  header.metadata_offset_bytes = kHeaderBytes;
  header.metadata_bytes = plan.metadata_bytes;
  header.data_offset_bytes = plan.data_offset_bytes;
  header.data_bytes = description.size_bytes();
  header.nodata_count = description.nodata.size();
  header.wkt_bytes = description.crs.wkt.size();
  header.crs_name_bytes = description.crs.name.size();
  header.label_count = description.labels.size();
  header.labels_bytes = LabelsBytes(description.labels);
  header.geotransform = description.geotransform.coefficients();
  header.linear_unit_m = description.crs.linear_unit_m;
  header.semi_major_axis_m = description.crs.semi_major_axis_m;
  header.inverse_flattening = description.crs.inverse_flattening;
  header.statistics = statistics;
  header.cells_digest = cells_digest;
  header.checksum = RevisionChecksum(description, cells_digest);

  WriteMetadata(description, segment.subspan(kHeaderBytes, plan.metadata_bytes));
  std::memcpy(segment.data(), &header, sizeof header);
  header.header_digest = HeaderDigest(segment);
  std::memcpy(segment.data(), &header, sizeof header);
  return header.checksum;
}

Digest128 HeaderDigest(std::span<const std::byte> segment) {
  SegmentHeader header;
  std::memcpy(&header, segment.data(), sizeof header);
  header.header_digest = {};
  const uint64_t metadata_bytes =
      std::min<uint64_t>(header.metadata_bytes, segment.size() - kHeaderBytes);
  Xxh3Hasher hasher;
  hasher.Update(std::as_bytes(std::span(&header, 1)));
  hasher.Update(segment.subspan(kHeaderBytes, static_cast<size_t>(metadata_bytes)));
  return hasher.Digest();
}

absl::StatusOr<ParsedSegment> ParseSegment(std::span<const std::byte> segment) {
  if (segment.size() < kHeaderBytes) return SegmentInvalid("it is too short for a header");
  SegmentHeader header;
  std::memcpy(&header, segment.data(), sizeof header);
  TALWEG_RETURN_IF_ERROR(CheckFixedFields(header));
  if (header.metadata_bytes > segment.size() - kHeaderBytes) {
    return SegmentInvalid("its metadata is cut short");
  }
  if (header.header_digest != HeaderDigest(segment)) {
    return SegmentInvalid("its header does not match the header's own digest");
  }
  const auto metadata = segment.subspan(kHeaderBytes, static_cast<size_t>(header.metadata_bytes));
  TALWEG_ASSIGN_OR_RETURN(SurfaceDescription description, ReadDescription(header, metadata));
  TALWEG_RETURN_IF_ERROR(CheckSizes(header, description, segment.size()));
  TALWEG_RETURN_IF_ERROR(CheckStatistics(header.statistics, description.shape.cells()));
  if (header.checksum != RevisionChecksum(description, header.cells_digest)) {
    return SegmentInvalid("its checksum does not match its description");
  }
  return ParsedSegment{.description = std::move(description),
                       .statistics = header.statistics,
                       .data_offset_bytes = header.data_offset_bytes,
                       .cells_digest = header.cells_digest,
                       .checksum = header.checksum};
}

}  // namespace talweg::store
