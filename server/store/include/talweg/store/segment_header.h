// The layout of a surface's segment:
//
//   0         header page: SegmentHeader, zeros up to kHeaderBytes
//   4096      metadata: nodata values, WKT, CRS name, labels
//   data      cells, page-aligned, row-major, little-endian
//
// Trivially copyable records and offsets only, no pointers: a reader in
// another process (or, later, of a file) sees the same bytes.
#ifndef TALWEG_STORE_SEGMENT_HEADER_H_
#define TALWEG_STORE_SEGMENT_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "absl/status/statusor.h"
#include "talweg/cost/surface_description.h"
#include "talweg/cost/surface_statistics.h"
#include "talweg/store/checksum.h"

namespace talweg::store {

inline constexpr std::array<char, 8> kSegmentMagic = {'T', 'a', 'l', 'w', 'e', 'g', 'S', '\n'};
inline constexpr uint32_t kSegmentLayoutVersion = 1;
inline constexpr uint64_t kHeaderBytes = 4096;
inline constexpr uint64_t kDataAlignmentBytes = 4096;

// What a segment holds. Fields and point sets will be stored alike.
enum class SegmentKind : uint32_t { kSurface = 1 };

struct SegmentHeader {
  std::array<char, 8> magic;
  uint32_t layout_version;
  SegmentKind kind;

  uint8_t value_type;       // ValueType
  uint8_t crs_kind;         // CrsKind
  uint8_t negative_policy;  // NegativePolicy
  uint8_t reserved[5];

  // depth is 1 for now: room for stacks of rasters.
  uint64_t depth;
  uint64_t rows;
  uint64_t cols;
  uint64_t depth_stride_bytes;
  uint64_t row_stride_bytes;
  uint64_t col_stride_bytes;

  uint64_t segment_bytes;
  uint64_t metadata_offset_bytes;
  uint64_t metadata_bytes;
  uint64_t data_offset_bytes;
  uint64_t data_bytes;

  // The parts of the metadata, one after the other.
  uint64_t nodata_count;  // float64 each
  uint64_t wkt_bytes;
  uint64_t crs_name_bytes;
  uint64_t label_count;
  uint64_t labels_bytes;  // per label: two uint32 sizes, then key and value

  std::array<double, 6> geotransform;
  double linear_unit_m;
  double semi_major_axis_m;
  double inverse_flattening;

  SurfaceStatistics statistics;

  Digest128 cells_digest;   // XXH3-128 of the cells
  Digest128 checksum;       // identity: XXH3-128 of description and cells_digest
  Digest128 header_digest;  // XXH3-128 of header (this field 0) and metadata
};
static_assert(std::is_trivially_copyable_v<SegmentHeader>);
static_assert(sizeof(SurfaceStatistics) == 56);
static_assert(sizeof(SegmentHeader) == 328, "the layout is a contract between processes");
static_assert(sizeof(SegmentHeader) <= kHeaderBytes);

// Sizes and offsets of the segment of a surface.
struct SegmentPlan {
  uint64_t metadata_bytes = 0;
  uint64_t data_offset_bytes = 0;
  uint64_t segment_bytes = 0;
};

// Precondition: ValidateDescription(description) is OK.
SegmentPlan PlanSegment(const SurfaceDescription& description);

// The identity of a revision. Two surfaces with the same cells, of which one
// reads 7 as nodata, are two revisions; labels and the CRS's name are not part
// of it.
Digest128 RevisionChecksum(const SurfaceDescription& description, const Digest128& cells_digest);

// Writes header and metadata into a segment of PlanSegment(description) bytes
// whose cells are in place. Returns the revision checksum.
Digest128 WriteHeader(const SurfaceDescription& description, const SurfaceStatistics& statistics,
                      const Digest128& cells_digest, std::span<std::byte> segment);

// Recomputes header_digest of a written segment.
Digest128 HeaderDigest(std::span<const std::byte> segment);

// A header that was read and found sound.
struct ParsedSegment {
  SurfaceDescription description;
  SurfaceStatistics statistics;
  uint64_t data_offset_bytes = 0;
  Digest128 cells_digest{};
  Digest128 checksum{};
};

// Takes nothing on trust: every size is recomputed from shape and type, every
// enum, number and count is checked, and both digests must agree.
// SEGMENT_INVALID.
absl::StatusOr<ParsedSegment> ParseSegment(std::span<const std::byte> segment);

}  // namespace talweg::store

#endif  // TALWEG_STORE_SEGMENT_HEADER_H_
