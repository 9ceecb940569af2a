#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "process_facts.h"
#include "stored_surfaces.h"
#include "talweg/store/checksum.h"
#include "talweg/store/store.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::store {
namespace {

using test::HasField;
using test::HasReason;
using test::IsOk;
using testing::AllOf;

class UploadTest : public testing::Test {
 protected:
  UploadTest()
      : surface_(test::RandomSurface({40, 50}, ValueType::kFloat64, test::Temper::kUniform,
                                     test::BaseSeed())),
        cells_(test::CellBytes(surface_)) {}

  StartUploadRequest Request(const std::string& id = "dem") const {
    StartUploadRequest request;
    request.surface_id = id;
    request.description = surface_.description();
    return request;
  }
  std::string Start(const StartUploadRequest& request) {
    const auto started = store_.StartUpload(request);
    EXPECT_THAT(started, IsOk());
    return started.ok() ? started->upload_id : "";
  }
  absl::StatusOr<uint64_t> Write(const std::string& upload_id, uint64_t offset,
                                 std::string_view data) {
    return store_.WriteUpload(upload_id, offset, data, Crc32(data));
  }

  const CostSurface surface_;
  const std::string cells_;
  Store store_{StoreLimits{}};
};

TEST_F(UploadTest, InChunksOfAnySizeArrivesWhole) {
  const std::string upload = Start(Request());
  uint64_t offset = 0;
  for (size_t chunk = 1; offset < cells_.size(); chunk = chunk * 3 + 1) {
    ASSERT_OK_AND_ASSIGN(offset,
                         Write(upload, offset, std::string_view(cells_).substr(offset, chunk)));
  }
  EXPECT_THAT(store_.Open("surfaces/dem"), HasReason("SURFACE_NOT_FOUND"));
  ASSERT_OK_AND_ASSIGN(const auto finished, store_.FinishUpload(upload, test::Xxh3Of(cells_)));
  EXPECT_EQ(finished->name(), "surfaces/dem");
  EXPECT_EQ(test::CellBytes(surface_),
            std::string(static_cast<const char*>(finished->view().data()), cells_.size()));
  ASSERT_OK_AND_ASSIGN(const auto opened, store_.Open("surfaces/dem"));
  EXPECT_EQ(opened, finished);
}

TEST_F(UploadTest, ByShaIsCheckedToo) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  EXPECT_THAT(store_.FinishUpload(
                  upload, {.xxh3_128 = "", .sha256 = Sha256(std::as_bytes(std::span(cells_)))}),
              IsOk());
}

TEST_F(UploadTest, WrongOffsetChangesNothingAndNamesTheRightOne) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, "12345678"), IsOk());
  for (const uint64_t offset : {uint64_t{0}, uint64_t{7}, uint64_t{9}, ~uint64_t{0}}) {
    const auto written = Write(upload, offset, "x");
    EXPECT_THAT(written, HasReason("WRONG_OFFSET"));
    EXPECT_EQ(GetErrorDetail(written.status()).valid_range, "8");
  }
  ASSERT_OK_AND_ASSIGN(const UploadState state, store_.QueryUpload(upload));
  EXPECT_EQ(state.committed_offset, 8u);
  EXPECT_EQ(state.size_bytes, cells_.size());
}

TEST_F(UploadTest, TooLongIsRefusedAndTheRestStillFits) {
  const std::string upload = Start(Request());
  EXPECT_THAT(Write(upload, 0, cells_ + "x"), HasReason("UPLOAD_TOO_LONG"));
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  EXPECT_THAT(Write(upload, cells_.size(), "x"), HasReason("UPLOAD_TOO_LONG"));
  EXPECT_THAT(Write(upload, cells_.size(), ""), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(cells_)), IsOk());
}

TEST_F(UploadTest, TooShortStaysOpen) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, std::string_view(cells_).substr(0, 100)), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(cells_)), HasReason("UPLOAD_INCOMPLETE"));
  ASSERT_THAT(Write(upload, 100, std::string_view(cells_).substr(100)), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(cells_)), IsOk());
}

TEST_F(UploadTest, ChunkWithAFlippedBitIsRefusedAndCanBeSentAgain) {
  const std::string upload = Start(Request());
  std::string flipped = cells_;
  flipped[500] = static_cast<char>(flipped[500] ^ 4);
  EXPECT_THAT(store_.WriteUpload(upload, 0, flipped, Crc32(cells_)),
              HasReason("CHECKSUM_MISMATCH"));
  ASSERT_OK_AND_ASSIGN(const UploadState state, store_.QueryUpload(upload));
  EXPECT_EQ(state.committed_offset, 0u);
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(cells_)), IsOk());
}

TEST_F(UploadTest, WholeWithAFlippedBitIsDataLossAndEndsTheUpload) {
  test::Upload(store_, "dem", test::ConstantSurface({2, 2}, 1));
  const std::string upload = Start(Request());
  std::string flipped = cells_;
  flipped[500] = static_cast<char>(flipped[500] ^ 4);
  ASSERT_THAT(Write(upload, 0, flipped), IsOk());
  const auto finished = store_.FinishUpload(upload, test::Xxh3Of(cells_));
  EXPECT_THAT(finished, HasReason("CHECKSUM_MISMATCH"));
  EXPECT_EQ(finished.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(store_.QueryUpload(upload), HasReason("UPLOAD_NOT_FOUND"));
  ASSERT_OK_AND_ASSIGN(const auto still, store_.Open("surfaces/dem"));
  EXPECT_EQ(still->description().shape, (Shape{2, 2}));
}

TEST_F(UploadTest, FinishedTwiceIsTheSameRevision) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  ASSERT_OK_AND_ASSIGN(const auto first, store_.FinishUpload(upload, test::Xxh3Of(cells_)));
  ASSERT_OK_AND_ASSIGN(const auto second, store_.FinishUpload(upload, test::Xxh3Of(cells_)));
  EXPECT_EQ(first, second);
  EXPECT_THAT(Write(upload, cells_.size(), "x"), HasReason("UPLOAD_NOT_FOUND"));
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of("other")), HasReason("CHECKSUM_MISMATCH"));
  EXPECT_EQ(store_.usage().surfaces, 1u);
}

TEST_F(UploadTest, FinishedByManyAtOnceIsPublishedOnce) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  std::vector<test::SurfacePtr> results(8);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) {
      threads.emplace_back([&] {
        auto finished = store_.FinishUpload(upload, test::Xxh3Of(cells_));
        if (finished.ok()) result = *finished;
      });
    }
  }
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  EXPECT_NE(results[0], nullptr);
}

TEST_F(UploadTest, ChecksumsOfTheWrongKindAreRefusedAndTheUploadStays) {
  const std::string upload = Start(Request());
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, {}), HasReason("MISSING_FIELD"));
  EXPECT_THAT(store_.FinishUpload(
                  upload, {.xxh3_128 = std::string(16, 'x'), .sha256 = std::string(32, 'x')}),
              HasReason("MISSING_FIELD"));
  EXPECT_THAT(store_.FinishUpload(upload, {.xxh3_128 = "short", .sha256 = ""}),
              AllOf(HasReason("INVALID_VALUE"), HasField("xxh3_128")));
  EXPECT_THAT(store_.FinishUpload(upload, {.xxh3_128 = "", .sha256 = "short"}),
              AllOf(HasReason("INVALID_VALUE"), HasField("sha256")));
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(cells_)), IsOk());
}

TEST_F(UploadTest, AbandonedOneIsSweptWithItsMemory) {
  Store store(StoreLimits{.upload_ttl = absl::Milliseconds(30)});
  const size_t descriptors = test::OpenDescriptors();
  ASSERT_OK_AND_ASSIGN(const UploadState started, store.StartUpload(Request()));
  EXPECT_TRUE(test::WaitFor([&] {
    return !store.QueryUpload(started.upload_id).ok() && test::OpenDescriptors() == descriptors;
  }));
  EXPECT_THAT(store.QueryUpload(started.upload_id), HasReason("UPLOAD_NOT_FOUND"));
  EXPECT_THAT(store.WriteUpload(started.upload_id, 0, "x", Crc32("x")),
              HasReason("UPLOAD_NOT_FOUND"));
}

TEST_F(UploadTest, SameRequestIdContinuesTheSameUpload) {
  StartUploadRequest request = Request();
  request.request_id = "r-1";
  const std::string upload = Start(request);
  ASSERT_THAT(Write(upload, 0, "12345678"), IsOk());
  ASSERT_OK_AND_ASSIGN(const UploadState again, store_.StartUpload(request));
  EXPECT_EQ(again.upload_id, upload);
  EXPECT_EQ(again.committed_offset, 8u);
  ASSERT_THAT(Write(upload, 8, std::string_view(cells_).substr(8)), IsOk());
  const std::string sent = "12345678" + cells_.substr(8);
  ASSERT_OK_AND_ASSIGN(const auto first, store_.FinishUpload(upload, test::Xxh3Of(sent)));
  ASSERT_OK_AND_ASSIGN(const UploadState done, store_.StartUpload(request));
  EXPECT_EQ(done.upload_id, upload);
  EXPECT_EQ(done.committed_offset, cells_.size());
}

TEST_F(UploadTest, SameRequestIdAtOnceIsOneUpload) {
  StartUploadRequest request = Request();
  request.request_id = "r-1";
  std::vector<std::string> ids(8);
  {
    std::vector<std::jthread> threads;
    for (auto& id : ids) {
      threads.emplace_back([&] {
        const auto started = store_.StartUpload(request);
        if (started.ok()) id = started->upload_id;
      });
    }
  }
  for (const auto& id : ids) EXPECT_EQ(id, ids[0]);
  EXPECT_FALSE(ids[0].empty());
}

TEST_F(UploadTest, RequestIdWithAnotherPayloadIsRefused) {
  StartUploadRequest request = Request();
  request.request_id = "r-1";
  Start(request);
  StartUploadRequest other = request;
  other.description.nodata = {3};
  EXPECT_THAT(store_.StartUpload(other), HasReason("REQUEST_ID_REUSED"));
  other = request;
  other.surface_id = "other";
  EXPECT_THAT(store_.StartUpload(other), HasReason("REQUEST_ID_REUSED"));
  other = request;
  other.description.labels["a"] = "b";
  EXPECT_THAT(store_.StartUpload(other), HasReason("REQUEST_ID_REUSED"));
  other.request_id.assign(129, 'x');
  EXPECT_THAT(store_.StartUpload(other), AllOf(HasReason("INVALID_VALUE"), HasField("request_id")));
}

TEST_F(UploadTest, RequestIdIsFreeAgainWhenItsUploadFailed) {
  StartUploadRequest request = Request();
  request.request_id = "r-1";
  const std::string upload = Start(request);
  ASSERT_THAT(Write(upload, 0, cells_), IsOk());
  ASSERT_THAT(store_.FinishUpload(upload, test::Xxh3Of("x")), HasReason("CHECKSUM_MISMATCH"));
  EXPECT_NE(Start(request), upload);
}

TEST_F(UploadTest, CreateOnlyRefusesAnExistingSurfaceAtBothEnds) {
  StartUploadRequest request = Request();
  request.create_only = true;
  const std::string early = Start(request);
  ASSERT_THAT(Write(early, 0, cells_), IsOk());
  test::Upload(store_, "dem", test::ConstantSurface({2, 2}, 1));
  EXPECT_THAT(store_.StartUpload(request), HasReason("SURFACE_EXISTS"));
  EXPECT_THAT(store_.FinishUpload(early, test::Xxh3Of(cells_)), HasReason("SURFACE_EXISTS"));
}

TEST_F(UploadTest, NegativeCellsUnderThePolicyErrorEndTheUpload) {
  Raster<int16_t> cells(Shape{2, 2}, int16_t{1});
  cells(1, 0) = -5;
  SurfaceDescription description;
  description.negative = NegativePolicy::kError;
  const CostSurface surface(std::move(cells), description);
  StartUploadRequest request = Request();
  request.description = surface.description();
  const std::string upload = Start(request);
  ASSERT_THAT(Write(upload, 0, test::CellBytes(surface)), IsOk());
  EXPECT_THAT(store_.FinishUpload(upload, test::Xxh3Of(test::CellBytes(surface))),
              HasReason("NEGATIVE_FRICTION"));
  EXPECT_THAT(store_.QueryUpload(upload), HasReason("UPLOAD_NOT_FOUND"));
}

TEST_F(UploadTest, LimitsAreNamedWithTheirMaximum) {
  Store store(StoreLimits{.max_surfaces = 1, .max_open_uploads = 2});
  ASSERT_THAT(store.StartUpload(Request("a")), IsOk());
  ASSERT_THAT(store.StartUpload(Request("b")), IsOk());
  EXPECT_THAT(store.StartUpload(Request("c")),
              AllOf(HasReason("LIMIT_EXCEEDED"), HasField("max_open_uploads")));

  Store other(StoreLimits{.max_surfaces = 1});
  test::Upload(other, "a", surface_);
  EXPECT_THAT(other.StartUpload(Request("b")),
              AllOf(HasReason("LIMIT_EXCEEDED"), HasField("max_surfaces")));
  EXPECT_THAT(other.StartUpload(Request("a")), IsOk());
}

TEST_F(UploadTest, LargerThanMemoryIsRefusedBeforeAnythingHappens) {
  StartUploadRequest request = Request();
  request.description.shape = {63000, 63000};  // 32 GB of float64
  const auto started = store_.StartUpload(request);
  if (started.ok()) GTEST_SKIP() << "this host has more than 32 GB to spare";
  EXPECT_THAT(started, HasReason("OUT_OF_MEMORY"));
  EXPECT_THAT(store_.StartUpload(Request()), IsOk());
}

TEST_F(UploadTest, BadRequestsNameTheirField) {
  EXPECT_THAT(store_.StartUpload(Request("../x")),
              AllOf(HasReason("INVALID_VALUE"), HasField("surface_id")));
  StartUploadRequest request = Request();
  request.description.shape = {0, 5};
  EXPECT_THAT(store_.StartUpload(request), HasReason("SHAPE_OUT_OF_RANGE"));
  request = Request();
  request.description.crs.linear_unit_m = -1;
  EXPECT_THAT(store_.StartUpload(request), HasField("description.crs.linear_unit_m"));
  EXPECT_THAT(store_.QueryUpload("nope"), HasReason("UPLOAD_NOT_FOUND"));
  EXPECT_THAT(store_.FinishUpload("nope", test::Xxh3Of("")), HasReason("UPLOAD_NOT_FOUND"));
}

}  // namespace
}  // namespace talweg::store
