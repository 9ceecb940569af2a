#include "talweg/formats/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "npy_file.h"
#include "talweg/formats/raster_reader.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::ReadSurface;
using formats::SurfaceInput;
using test::HasReason;
using test::NpyBytes;
using test::NpyDictionary;
using test::RawBytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Npy : public ::testing::Test {
 protected:
  absl::StatusOr<SurfaceInput> Read(const std::string& bytes) {
    const std::string path = folder_.File("a.npy");
    test::WriteFile(path, bytes);
    return ReadSurface(path);
  }
  template <class T>
  absl::StatusOr<SurfaceInput> ReadArray(const std::string& descr, const std::vector<T>& values,
                                         bool fortran = false) {
    return Read(
        NpyBytes(NpyDictionary(descr, fortran, "(2, 3)"), RawBytes(values, descr.front() == '>')));
  }
  test::TemporaryFolder folder_;
};

template <class T>
std::vector<double> Cells(const SurfaceInput& input) {
  std::vector<double> values;
  for (const T value : input.cells.as<T>()) values.push_back(static_cast<double>(value));
  return values;
}

#define EXPECT_ARRAY(input, cell_type, proto_type, ...)                \
  do {                                                                 \
    ASSERT_THAT(input, test::IsOk());                                  \
    EXPECT_EQ((input)->description.value_type(), v1::proto_type);      \
    EXPECT_EQ((input)->description.rows(), 2u);                        \
    EXPECT_EQ((input)->description.cols(), 3u);                        \
    EXPECT_THAT(Cells<cell_type>(*(input)), ElementsAre(__VA_ARGS__)); \
  } while (false)

TEST_F(Npy, StoredTypesAreKeptInEitherByteOrder) {
  EXPECT_ARRAY((ReadArray<uint8_t>("|u1", {1, 2, 3, 4, 5, 255})), uint8_t, VALUE_TYPE_UINT8, 1, 2,
               3, 4, 5, 255);
  EXPECT_ARRAY((ReadArray<int8_t>("|i1", {1, 2, 3, 4, 5, -128})), int8_t, VALUE_TYPE_INT8, 1, 2, 3,
               4, 5, -128);
  for (const std::string order : {"<", ">"}) {
    EXPECT_ARRAY((ReadArray<uint16_t>(order + "u2", {1, 2, 3, 4, 5, 65535})), uint16_t,
                 VALUE_TYPE_UINT16, 1, 2, 3, 4, 5, 65535);
    EXPECT_ARRAY((ReadArray<int16_t>(order + "i2", {1, 2, 3, 4, 5, -32768})), int16_t,
                 VALUE_TYPE_INT16, 1, 2, 3, 4, 5, -32768);
    EXPECT_ARRAY((ReadArray<uint32_t>(order + "u4", {1, 2, 3, 4, 5, 4294967295})), uint32_t,
                 VALUE_TYPE_UINT32, 1, 2, 3, 4, 5, 4294967295);
    EXPECT_ARRAY((ReadArray<int32_t>(order + "i4", {1, 2, 3, 4, 5, -7})), int32_t, VALUE_TYPE_INT32,
                 1, 2, 3, 4, 5, -7);
    EXPECT_ARRAY((ReadArray<float>(order + "f4", {1, 2, 3, 4, 5, 0.1f})), float, VALUE_TYPE_FLOAT32,
                 1, 2, 3, 4, 5, double{0.1f});
    EXPECT_ARRAY((ReadArray<double>(order + "f8", {1, 2, 3, 4, 5, 0.1})), double,
                 VALUE_TYPE_FLOAT64, 1, 2, 3, 4, 5, 0.1);
  }
}

TEST_F(Npy, FortranOrderIsTransposed) {
  // Columns (1, 4), (2, 5), (3, 6).
  EXPECT_ARRAY((ReadArray<double>("<f8", {1, 4, 2, 5, 3, 6}, true)), double, VALUE_TYPE_FLOAT64, 1,
               2, 3, 4, 5, 6);
  EXPECT_ARRAY((ReadArray<int16_t>(">i2", {1, 4, 2, 5, 3, 6}, true)), int16_t, VALUE_TYPE_INT16, 1,
               2, 3, 4, 5, 6);
}

TEST_F(Npy, LargeFortranArraysAreTransposedAcrossBlocks) {
  constexpr int kRows = 70, kCols = 45;
  std::vector<int32_t> columns;
  for (int col = 0; col < kCols; ++col) {
    for (int row = 0; row < kRows; ++row) columns.push_back(row * kCols + col);
  }
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                       Read(NpyBytes(NpyDictionary("<i4", true, "(70, 45)"), RawBytes(columns))));
  const auto cells = input.cells.as<int32_t>();
  for (int i = 0; i < kRows * kCols; ++i) ASSERT_EQ(cells[static_cast<size_t>(i)], i);
}

TEST_F(Npy, BoolBecomesUint8AndHalfBecomesFloat32) {
  EXPECT_ARRAY((ReadArray<uint8_t>("|b1", {1, 0, 1, 0, 0, 1})), uint8_t, VALUE_TYPE_UINT8, 1, 0, 1,
               0, 0, 1);
  // 1, -2, 65504 (largest), 2^-24 (smallest), 0.333251953125, 0.
  for (const std::string order : {"<", ">"}) {
    EXPECT_ARRAY(
        (ReadArray<uint16_t>(order + "f2", {0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555, 0x0000})),
        float, VALUE_TYPE_FLOAT32, 1, -2, 65504, std::ldexp(1.0, -24), 0.333251953125, 0);
  }
}

TEST_F(Npy, HalfKeepsNaNAndInfinity) {
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                       ReadArray<uint16_t>("<f2", {0x7c00, 0xfc00, 0x7e00, 0, 0x8000, 0x03ff}));
  const auto cells = input.cells.as<float>();
  EXPECT_EQ(cells[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(cells[1], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(cells[2]));
  EXPECT_TRUE(std::signbit(cells[4]));
  EXPECT_EQ(cells[5], 1023 * std::ldexp(1.0f, -24));
}

TEST_F(Npy, WideIntegersBecomeTheNarrowestExactType) {
  struct Row {
    int64_t value;
    v1::ValueType type;
  };
  const int64_t two31 = int64_t{1} << 31, two32 = int64_t{1} << 32, two53 = int64_t{1} << 53;
  for (const Row& row : std::vector<Row>{{255, v1::VALUE_TYPE_UINT8},
                                         {-1, v1::VALUE_TYPE_INT8},
                                         {256, v1::VALUE_TYPE_UINT16},
                                         {-129, v1::VALUE_TYPE_INT16},
                                         {65536, v1::VALUE_TYPE_UINT32},
                                         {-32769, v1::VALUE_TYPE_INT32},
                                         {two32 - 1, v1::VALUE_TYPE_UINT32},
                                         {-two31, v1::VALUE_TYPE_INT32},
                                         {two32, v1::VALUE_TYPE_FLOAT32},
                                         {two32 + 1, v1::VALUE_TYPE_FLOAT64},
                                         {-two31 - 1, v1::VALUE_TYPE_FLOAT64},
                                         {two53 + 2, v1::VALUE_TYPE_FLOAT64}}) {
    const auto input = ReadArray<int64_t>("<i8", {0, 1, 2, 3, 100, row.value});
    ASSERT_THAT(input, test::IsOk()) << row.value;
    EXPECT_EQ(input->description.value_type(), row.type) << row.value;
  }
  EXPECT_ARRAY((ReadArray<uint64_t>(">u8", {0, 1, 2, 3, 4, 4294967295})), uint32_t,
               VALUE_TYPE_UINT32, 0, 1, 2, 3, 4, 4294967295);
}

TEST_F(Npy, TheFirstValueThatFitsNoTypeIsNamed) {
  const int64_t too_fine = (int64_t{1} << 53) + 1;
  const auto input = ReadArray<int64_t>("<i8", {0, 1, 2, 3, too_fine, too_fine + 2});
  EXPECT_THAT(input, HasReason("VALUE_NOT_EXACT"));
  EXPECT_THAT(std::string(input.status().message()),
              testing::AllOf(HasSubstr("9007199254740993"), HasSubstr("row 1, column 1")));
  EXPECT_THAT((ReadArray<uint64_t>("<u8", {0, 1, 2, 3, 4, ~uint64_t{0}})),
              HasReason("VALUE_NOT_EXACT"));
  EXPECT_THAT((ReadArray<int64_t>("<i8", {0, std::numeric_limits<int64_t>::max(), 2, 3, 4, 5})),
              HasReason("VALUE_NOT_EXACT"));
  // -2^63 is a power of two.
  EXPECT_THAT((ReadArray<int64_t>("<i8", {0, std::numeric_limits<int64_t>::min(), 2, 3, 4, 5})),
              test::IsOk());
}

TEST_F(Npy, NaNAndInfinityStay) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  ASSERT_OK_AND_ASSIGN(const SurfaceInput input,
                       ReadArray<double>("<f8", {1, nan, inf, -inf, -0.0, 2}));
  const auto cells = input.cells.as<double>();
  EXPECT_TRUE(std::isnan(cells[1]));
  EXPECT_EQ(cells[2], inf);
  EXPECT_EQ(cells[3], -inf);
  EXPECT_EQ(input.description.crs().kind(), v1::CRS_KIND_NONE);
  EXPECT_EQ(input.description.geotransform_size(), 0);
}

TEST_F(Npy, WhatIsNoArrayOfNumbersIsRefusedWithTheReason) {
  struct Row {
    std::string bytes;
    std::string message;
  };
  const std::string data = RawBytes<double>({1, 2, 3, 4, 5, 6});
  const std::vector<Row> table = {
      {NpyBytes(NpyDictionary("<f8", false, "(6,)"), data), "the shape (6,), 1-d; expected a 2-d"},
      {NpyBytes(NpyDictionary("<f8", false, "(1, 2, 3)"), data), "(1, 2, 3), 3-d"},
      {NpyBytes(NpyDictionary("<f8", false, "()"), data), "0-d"},
      {NpyBytes(NpyDictionary("<f8", false, "(0, 3)"), ""), "rows x cols: 0 x 3"},
      {NpyBytes(NpyDictionary("<f8", false, "(9999999999, 9999999999)"), data), "rows x cols"},
      {NpyBytes(NpyDictionary("<f8", false, "(3, 3)"), data), "cut short: 48 bytes of values"},
      {NpyBytes(NpyDictionary("<c8", false, "(2, 3)"), data), "type \"<c8\""},
      {NpyBytes(NpyDictionary("|O", false, "(2, 3)"), data), "type \"|O\""},
      {NpyBytes(NpyDictionary("<U5", false, "(2, 3)"), data), "type \"<U5\""},
      {NpyBytes("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3), }", data),
       "structured"},
      {NpyBytes("{'descr': '<f8', 'fortran_order': False}", data), "damaged"},
      {NpyBytes("nonsense", data), "damaged"},
      {"\x93NUMPY\x01", "cut short within its header"},
      {std::string("\x93NUMPY\x09\x00\x10\x00", 10), "version 9"},
      {"not an array at all", "not a .npy file"},
      {"", "not a .npy file"},
  };
  for (const Row& row : table) {
    const auto input = Read(row.bytes);
    ASSERT_FALSE(input.ok()) << row.message;
    EXPECT_EQ(input.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(input.status().message()),
                testing::AllOf(HasSubstr("a.npy"), HasSubstr(row.message)));
  }
}

TEST_F(Npy, HeadersOfOtherWritersAreRead) {
  const std::string data = RawBytes<double>({1, 2, 3, 4, 5, 6});
  // Other order of keys, other quotes, no comma at the end, Python 2's longs.
  EXPECT_THAT(Read(NpyBytes("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"<f8\"}", data)),
              test::IsOk());
  // Version 2: a header length of four bytes.
  std::string header = NpyDictionary("<f8", false, "(2, 3)") + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += '\x02';
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += std::string(3, '\0');
  EXPECT_THAT(Read(bytes + header + data), test::IsOk());
}

TEST_F(Npy, BytesAfterTheArrayAreIgnoredWithAWarning) {
  ASSERT_OK_AND_ASSIGN(
      const SurfaceInput input,
      Read(NpyBytes(NpyDictionary("<f8", false, "(1, 2)"), RawBytes<double>({1, 2, 3}))));
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_THAT(input.warnings[0], HasSubstr("8 bytes"));
}

TEST_F(Npy, ContentDecidesNotTheName) {
  const std::string path = folder_.File("array.bin");
  test::WriteFile(path, NpyBytes(NpyDictionary("<f8", false, "(1, 2)"), RawBytes<double>({1, 2})));
  EXPECT_THAT(ReadSurface(path), test::IsOk());
}

TEST_F(Npy, AMissingFileIsSaidToBeMissing) {
  const auto input = ReadSurface(folder_.File("absent.npy"));
  EXPECT_THAT(input, HasReason("FILE_UNREADABLE"));
  EXPECT_THAT(std::string(input.status().message()), HasSubstr("No such file"));
}

TEST_F(Npy, ABandOtherThanTheOnlyOneIsRefused) {
  const std::string path = folder_.File("a.npy");
  test::WriteFile(path, NpyBytes(NpyDictionary("<f8", false, "(1, 2)"), RawBytes<double>({1, 2})));
  EXPECT_THAT(ReadSurface(path, {.band = 1}), test::IsOk());
  EXPECT_THAT(ReadSurface(path, {.band = 2}), HasReason("FILE_CONTENT"));
}

}  // namespace
}  // namespace talweg
