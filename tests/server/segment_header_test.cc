#include "talweg/store/segment_header.h"

#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stored_surfaces.h"
#include "talweg/store/segment.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/store/surface_rules.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::store {
namespace {

using test::HasReason;
using test::IsOk;

SurfaceDescription Described() {
  SurfaceDescription description;
  description.geotransform = *GeoTransform::Make({500000, 30, 0, 4650000, 0, -30});
  description.crs = {.kind = CrsKind::kProjected,
                     .wkt = "PROJCS[\"...\"]",
                     .name = "WGS 84 / UTM zone 32N",
                     .linear_unit_m = 1,
                     .semi_major_axis_m = 6378137,
                     .inverse_flattening = 298.257223563};
  description.nodata = {-9999, 7};
  description.labels = {{"source", "test"}, {"empty", ""}};
  return description;
}

CostSurface SmallSurface(SurfaceDescription description) {
  Raster<float> cells(Shape{3, 5}, 1.5f);
  cells(0, 0) = 7;
  cells(2, 4) = 0;
  return CostSurface(std::move(cells), std::move(description));
}

std::vector<std::byte> SegmentBytes() {
  const test::SurfacePtr surface = test::StoreSurface(SmallSurface(Described()));
  const auto mapping = MapSealedSegment(surface->segment());
  EXPECT_THAT(mapping, IsOk());
  return {mapping->bytes().begin(), mapping->bytes().end()};
}

absl::StatusOr<test::SurfacePtr> Receive(const std::vector<std::byte>& bytes) {
  auto segment = WritableSegment::Create(bytes.size());
  EXPECT_THAT(segment, IsOk());
  std::memcpy(segment->bytes().data(), bytes.data(), bytes.size());
  auto sealed = std::move(*segment).Seal();
  EXPECT_THAT(sealed, IsOk());
  return SharedCostSurface::Receive(std::move(*sealed));
}

// A header as `change` leaves it, with a header digest that fits: what a liar
// would send, as opposed to failing memory.
std::vector<std::byte> Forge(const std::function<void(SegmentHeader&)>& change) {
  std::vector<std::byte> bytes = SegmentBytes();
  SegmentHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  header.header_digest = HeaderDigest(bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(SegmentHeader, SurvivesTheWayThroughSharedMemory) {
  ASSERT_OK_AND_ASSIGN(const auto received, Receive(SegmentBytes()));
  const SurfaceDescription expected = SmallSurface(Described()).description();
  const SurfaceDescription& actual = received->description();
  EXPECT_EQ(actual.shape, expected.shape);
  EXPECT_EQ(actual.value_type, ValueType::kFloat32);
  EXPECT_EQ(actual.geotransform, expected.geotransform);
  EXPECT_EQ(actual.crs.kind, CrsKind::kProjected);
  EXPECT_EQ(actual.crs.wkt, expected.crs.wkt);
  EXPECT_EQ(actual.crs.name, expected.crs.name);
  EXPECT_EQ(actual.crs.semi_major_axis_m, 6378137);
  EXPECT_EQ(actual.nodata, expected.nodata);
  EXPECT_EQ(actual.labels, expected.labels);
  EXPECT_EQ(received->statistics().nodata_cells, 1);
  EXPECT_EQ(received->statistics().zero_cells, 1);
  EXPECT_EQ(received->statistics().passable_cells, 14);
  EXPECT_EQ(received->view().cells<float>()(1, 1), 1.5f);
  EXPECT_THAT(received->VerifyCells(), IsOk());
  EXPECT_EQ(received->revision().size(), 16u);
}

TEST(SegmentHeader, CellsStartOnAPageEvenBehindTheLongestWkt) {
  SurfaceDescription description = Described();
  description.crs.wkt.assign(kMaxWktBytes, 'W');
  const test::SurfacePtr surface = test::StoreSurface(SmallSurface(description));
  ASSERT_NE(surface, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(surface->view().data()) % kDataAlignmentBytes, 0u);
  EXPECT_EQ(surface->description().crs.wkt.size(), kMaxWktBytes);
  EXPECT_EQ(surface->view().cells<float>()(1, 1), 1.5f);
}

TEST(SegmentHeader, EveryValueTypeIsStoredAsItComes) {
  for (int type = 1; type <= 8; ++type) {
    const CostSurface surface = test::RandomSurface({7, 9}, static_cast<ValueType>(type),
                                                    test::Temper::kUniform, test::BaseSeed());
    const test::SurfacePtr stored = test::StoreSurface(surface);
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(std::memcmp(stored->view().data(), surface.view().data(),
                          surface.description().size_bytes()),
              0)
        << "type " << type;
  }
}

TEST(SegmentHeader, EveryForgedFieldIsRefused) {
  constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* field;
    std::function<void(SegmentHeader&)> change;
  };
  const std::vector<Case> cases = {
      {"magic", [](auto& h) { h.magic[0] = 'X'; }},
      {"layout_version", [](auto& h) { ++h.layout_version; }},
      {"kind", [](auto& h) { h.kind = static_cast<SegmentKind>(2); }},
      {"value_type 0", [](auto& h) { h.value_type = 0; }},
      {"value_type 9", [](auto& h) { h.value_type = 9; }},
      {"value_type of another size", [](auto& h) { h.value_type = 8; }},
      {"value_type of the same size", [](auto& h) { h.value_type = 5; }},
      {"crs_kind", [](auto& h) { h.crs_kind = 9; }},
      {"negative_policy", [](auto& h) { h.negative_policy = 3; }},
      {"reserved", [](auto& h) { h.reserved[4] = 1; }},
      {"depth", [](auto& h) { h.depth = 2; }},
      {"rows 0", [](auto& h) { h.rows = 0; }},
      {"rows more", [](auto& h) { ++h.rows; }},
      {"rows that overflow", [](auto& h) { h.rows = kHuge; }},
      {"rows x cols that overflow", [](auto& h) { h.rows = h.cols = uint64_t{1} << 32; }},
      {"cols", [](auto& h) { --h.cols; }},
      {"rows and cols swapped", [](auto& h) { std::swap(h.rows, h.cols); }},
      {"depth_stride_bytes", [](auto& h) { ++h.depth_stride_bytes; }},
      {"row_stride_bytes", [](auto& h) { h.row_stride_bytes *= 2; }},
      {"col_stride_bytes", [](auto& h) { h.col_stride_bytes = 8; }},
      {"segment_bytes", [](auto& h) { h.segment_bytes = kHuge; }},
      {"metadata_offset_bytes", [](auto& h) { h.metadata_offset_bytes = 0; }},
      {"metadata_bytes huge", [](auto& h) { h.metadata_bytes = kHuge; }},
      {"metadata_bytes less", [](auto& h) { --h.metadata_bytes; }},
      {"metadata_bytes more", [](auto& h) { ++h.metadata_bytes; }},
      {"data_offset_bytes", [](auto& h) { h.data_offset_bytes += 4096; }},
      {"data_offset_bytes unaligned", [](auto& h) { h.data_offset_bytes += 1; }},
      {"data_bytes", [](auto& h) { h.data_bytes = kHuge; }},
      {"nodata_count huge", [](auto& h) { h.nodata_count = kHuge; }},
      {"nodata_count", [](auto& h) { --h.nodata_count; }},
      {"wkt_bytes huge", [](auto& h) { h.wkt_bytes = kHuge; }},
      {"wkt_bytes", [](auto& h) { ++h.wkt_bytes; }},
      {"crs_name_bytes huge", [](auto& h) { h.crs_name_bytes = kHuge; }},
      {"crs_name_bytes", [](auto& h) { --h.crs_name_bytes; }},
      {"label_count huge", [](auto& h) { h.label_count = kHuge; }},
      {"label_count", [](auto& h) { ++h.label_count; }},
      {"labels_bytes", [](auto& h) { ++h.labels_bytes; }},
      {"geotransform singular", [](auto& h) { h.geotransform[1] = h.geotransform[2] = 0; }},
      {"geotransform NaN", [=](auto& h) { h.geotransform[0] = nan; }},
      {"geotransform moved", [](auto& h) { h.geotransform[0] += 1; }},
      {"linear_unit_m", [](auto& h) { h.linear_unit_m = 0; }},
      {"semi_major_axis_m", [](auto& h) { h.semi_major_axis_m = -1; }},
      {"inverse_flattening", [=](auto& h) { h.inverse_flattening = nan; }},
      {"passable_cells", [](auto& h) { ++h.statistics.passable_cells; }},
      {"zero_cells", [](auto& h) { h.statistics.zero_cells = -1; }},
      {"zero_cells more", [](auto& h) { h.statistics.zero_cells = 15; }},
      {"nodata_cells", [](auto& h) { h.statistics.nodata_cells = -1; }},
      {"negative_cells",
       [](auto& h) { h.statistics.negative_cells = std::numeric_limits<int64_t>::max(); }},
      {"infinite_cells", [](auto& h) { ++h.statistics.infinite_cells; }},
      {"smallest_positive_friction",
       [=](auto& h) { h.statistics.smallest_positive_friction = nan; }},
      {"smallest above largest", [](auto& h) { h.statistics.smallest_positive_friction = 9; }},
      {"largest_friction",
       [](auto& h) { h.statistics.largest_friction = std::numeric_limits<double>::infinity(); }},
      {"cells_digest", [](auto& h) { h.cells_digest[0] ^= 1; }},
      {"checksum", [](auto& h) { h.checksum[15] ^= 1; }},
  };
  for (const Case& forged : cases) {
    EXPECT_THAT(Receive(Forge(forged.change)), HasReason("SEGMENT_INVALID")) << forged.field;
  }
}

TEST(SegmentHeader, AnyFlippedByteOfHeaderOrMetadataIsNoticed) {
  const std::vector<std::byte> sound = SegmentBytes();
  SegmentHeader header;
  std::memcpy(&header, sound.data(), sizeof header);
  const auto flip = [&sound](size_t position) {
    std::vector<std::byte> bytes = sound;
    bytes[position] ^= std::byte{0x10};
    return bytes;
  };
  for (size_t i = 0; i < sizeof header; ++i) {
    EXPECT_THAT(Receive(flip(i)), HasReason("SEGMENT_INVALID")) << "header byte " << i;
  }
  for (size_t i = 0; i < header.metadata_bytes; ++i) {
    EXPECT_THAT(Receive(flip(kHeaderBytes + i)), HasReason("SEGMENT_INVALID")) << "metadata " << i;
  }
}

TEST(SegmentHeader, SegmentsOfAnotherSizeAreRefused) {
  std::vector<std::byte> bytes = SegmentBytes();
  bytes.push_back(std::byte{0});
  EXPECT_THAT(Receive(bytes), HasReason("SEGMENT_INVALID"));
  bytes.resize(bytes.size() - 2);
  EXPECT_THAT(Receive(bytes), HasReason("SEGMENT_INVALID"));
  bytes.resize(kHeaderBytes);
  EXPECT_THAT(Receive(bytes), HasReason("SEGMENT_INVALID"));
  bytes.resize(100);
  EXPECT_THAT(Receive(bytes), HasReason("SEGMENT_INVALID"));
}

TEST(SegmentHeader, FlippedCellIsFoundWhenAskedFor) {
  std::vector<std::byte> bytes = SegmentBytes();
  bytes.back() ^= std::byte{1};
  ASSERT_OK_AND_ASSIGN(const auto received, Receive(bytes));
  EXPECT_THAT(received->VerifyCells(), HasReason("SEGMENT_INVALID"));
}

TEST(Revision, DependsOnEverythingThatChangesAnAnswer) {
  const auto revision = [](const std::function<void(SurfaceDescription&)>& change) {
    SurfaceDescription description = Described();
    change(description);
    return test::StoreSurface(SmallSurface(description))->revision();
  };
  const std::string original = revision([](auto&) {});
  EXPECT_EQ(original, revision([](auto&) {}));
  EXPECT_EQ(original, revision([](auto& d) { d.labels["more"] = "text"; }));
  EXPECT_NE(original, revision([](auto& d) { d.nodata = {7, -9999}; }));
  EXPECT_NE(original, revision([](auto& d) { d.nodata = {7}; }));
  EXPECT_NE(original, revision([](auto& d) { d.negative = NegativePolicy::kError; }));
  EXPECT_NE(original, revision([](auto& d) { d.crs.kind = CrsKind::kGeographic; }));
  EXPECT_NE(original, revision([](auto& d) { d.crs.wkt += " "; }));
  EXPECT_NE(original, revision([](auto& d) { d.geotransform = GeoTransform(); }));
}

}  // namespace
}  // namespace talweg::store
