// SurfaceService through the real server: uploads whole, cut, damaged, resumed.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <xxhash.h>
#include <zlib.h>

#include "cutting_proxy.h"
#include "requests.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/status_matchers.h"
#include "talweg/v1/surface.grpc.pb.h"
#include "test_server.h"
#include "wire_status.h"

namespace talweg::test {
namespace {

using testing::HasSubstr;

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string Xxh3(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

class UploadTest : public testing::Test {
 protected:
  void SetUp() override {
    channel_ = grpc::CreateChannel(server_.address(), grpc::InsecureChannelCredentials());
    stub_ = v1::SurfaceService::NewStub(channel_);
  }

  v1::StartUploadRequest StartRequest() const {
    v1::StartUploadRequest request;
    request.set_surface_id("s");
    *request.mutable_description() = DescriptionOf(surface_);
    return request;
  }
  std::string Start() {
    grpc::ClientContext context;
    v1::StartUploadResponse response;
    const grpc::Status status = stub_->StartUpload(&context, StartRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.size_bytes(), bytes_.size());
    return response.upload_id();
  }
  v1::WriteUploadRequest Chunk(const std::string& upload, uint64_t offset, uint64_t size) const {
    v1::WriteUploadRequest chunk;
    chunk.set_upload_id(upload);
    chunk.set_offset(offset);
    chunk.set_data(std::string(bytes_.substr(offset, size)));
    chunk.set_crc32(Crc32(chunk.data()));
    return chunk;
  }
  WireStatus Write(const std::vector<v1::WriteUploadRequest>& chunks) {
    grpc::ClientContext context;
    v1::WriteUploadResponse response;
    const auto writer = stub_->WriteUpload(&context, &response);
    for (const v1::WriteUploadRequest& chunk : chunks) {
      if (!writer->Write(chunk)) break;
    }
    writer->WritesDone();
    return ReadWireStatus(writer->Finish());
  }
  uint64_t Committed(const std::string& upload) {
    grpc::ClientContext context;
    v1::QueryUploadRequest request;
    request.set_upload_id(upload);
    v1::QueryUploadResponse response;
    EXPECT_TRUE(stub_->QueryUpload(&context, request, &response).ok());
    EXPECT_EQ(response.size_bytes(), bytes_.size());
    return response.committed_offset();
  }
  WireStatus Finish(const std::string& upload, const std::string& checksum, v1::Surface& surface) {
    grpc::ClientContext context;
    v1::FinishUploadRequest request;
    request.set_upload_id(upload);
    request.set_xxh3_128(checksum);
    return ReadWireStatus(stub_->FinishUpload(&context, request, &surface));
  }

  TestServer server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::SurfaceService::Stub> stub_;
  const CostSurface surface_ =
      RandomSurface({300, 500}, ValueType::kFloat64, Temper::kUniform, 11);  // 1.2 MB
  const std::string_view bytes_ = BytesOf(surface_);
};

constexpr uint64_t kHalf = 600'000;

TEST_F(UploadTest, NothingIsVisibleBeforeTheEnd) {
  const std::string upload = Start();
  EXPECT_EQ(Write({Chunk(upload, 0, kHalf), Chunk(upload, kHalf, kHalf)}).code,
            grpc::StatusCode::OK);
  EXPECT_THAT(server_.client().GetSurface("surfaces/s"), HasReason("SURFACE_NOT_FOUND"));
  v1::Surface surface;
  EXPECT_EQ(Finish(upload, Xxh3(bytes_), surface).code, grpc::StatusCode::OK);
  EXPECT_EQ(surface.name(), "surfaces/s");
  EXPECT_EQ(surface.size_bytes(), bytes_.size());
  EXPECT_EQ(surface.statistics().passable_cells(), 150'000u);
  EXPECT_EQ(surface.revision().size(), 16u);
  EXPECT_EQ(surface.xxh3_128().size(), 16u);
  EXPECT_GT(surface.publish_time().seconds(), 1'600'000'000);
  // Finishing twice is finishing once.
  v1::Surface again;
  EXPECT_EQ(Finish(upload, Xxh3(bytes_), again).code, grpc::StatusCode::OK);
  EXPECT_EQ(again.revision(), surface.revision());
}

TEST_F(UploadTest, AnUploadCutShortContinuesAtItsCommittedOffset) {
  const std::string upload = Start();
  {
    grpc::ClientContext context;
    v1::WriteUploadResponse response;
    const auto writer = stub_->WriteUpload(&context, &response);
    ASSERT_TRUE(writer->Write(Chunk(upload, 0, kHalf)));
    while (Committed(upload) < kHalf) {
    }
    context.TryCancel();
    EXPECT_EQ(writer->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  ASSERT_EQ(Committed(upload), kHalf);
  v1::Surface surface;
  const WireStatus early = Finish(upload, Xxh3(bytes_), surface);
  EXPECT_EQ(early.reason, "UPLOAD_INCOMPLETE");
  EXPECT_EQ(early.code, grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(Write({Chunk(upload, kHalf, kHalf)}).code, grpc::StatusCode::OK);
  EXPECT_EQ(Finish(upload, Xxh3(bytes_), surface).code, grpc::StatusCode::OK);
}

TEST_F(UploadTest, AFlippedBitIsFoundInItsChunk) {
  const std::string upload = Start();
  v1::WriteUploadRequest bad = Chunk(upload, kHalf, kHalf);
  (*bad.mutable_data())[1000] = static_cast<char>((*bad.mutable_data())[1000] ^ 0x10);
  const WireStatus wire = Write({Chunk(upload, 0, kHalf), bad});
  EXPECT_EQ(wire.code, grpc::StatusCode::DATA_LOSS);
  EXPECT_EQ(wire.reason, "CHECKSUM_MISMATCH");
  EXPECT_EQ(Committed(upload), kHalf);  // the good chunk stays
  EXPECT_EQ(Write({Chunk(upload, kHalf, kHalf)}).code, grpc::StatusCode::OK);
}

TEST_F(UploadTest, AFlippedBitThatChunksDoNotSeeIsFoundInTheWhole) {
  const std::string upload = Start();
  v1::WriteUploadRequest bad = Chunk(upload, kHalf, kHalf);
  (*bad.mutable_data())[1000] = static_cast<char>((*bad.mutable_data())[1000] ^ 0x10);
  bad.set_crc32(Crc32(bad.data()));  // damaged before it was sent
  EXPECT_EQ(Write({Chunk(upload, 0, kHalf), bad}).code, grpc::StatusCode::OK);
  v1::Surface surface;
  const WireStatus wire = Finish(upload, Xxh3(bytes_), surface);
  EXPECT_EQ(wire.code, grpc::StatusCode::DATA_LOSS);
  EXPECT_EQ(wire.reason, "CHECKSUM_MISMATCH");
  EXPECT_THAT(server_.client().GetSurface("surfaces/s"), HasReason("SURFACE_NOT_FOUND"));
}

TEST_F(UploadTest, ChunksComeInOrder) {
  const std::string upload = Start();
  const WireStatus skipped = Write({Chunk(upload, 8, 100)});
  EXPECT_EQ(skipped.code, grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(skipped.reason, "WRONG_OFFSET");
  EXPECT_EQ(skipped.field, "offset");
  EXPECT_EQ(skipped.value, "8");
  EXPECT_EQ(skipped.valid_range, "0");
  const WireStatus repeated = Write({Chunk(upload, 0, 100), Chunk(upload, 0, 100)});
  EXPECT_EQ(repeated.reason, "WRONG_OFFSET");
  EXPECT_EQ(repeated.valid_range, "100");
  EXPECT_EQ(Committed(upload), 100u);
}

TEST_F(UploadTest, TooMuchIsRefused) {
  const std::string upload = Start();
  EXPECT_EQ(Write({Chunk(upload, 0, kHalf), Chunk(upload, kHalf, kHalf)}).code,
            grpc::StatusCode::OK);
  v1::WriteUploadRequest more;
  more.set_upload_id(upload);
  more.set_offset(bytes_.size());
  more.set_data("x");
  more.set_crc32(Crc32("x"));
  const WireStatus wire = Write({more});
  EXPECT_EQ(wire.code, grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(wire.reason, "UPLOAD_TOO_LONG");
}

TEST_F(UploadTest, ChunksHaveABound) {
  const std::string upload = Start();
  v1::WriteUploadRequest chunk;
  chunk.set_upload_id(upload);
  EXPECT_EQ(Write({chunk}).field, "data");
  chunk.set_data(std::string(2 * 1024 * 1024 + 1, 'x'));
  const WireStatus wire = Write({chunk});
  EXPECT_EQ(wire.field, "data");
  EXPECT_THAT(wire.valid_range, HasSubstr("2097152"));
  v1::WriteUploadRequest other = Chunk(upload, 100, 100);
  other.set_upload_id("another");
  EXPECT_EQ(Write({Chunk(upload, 0, 100), other}).field, "upload_id");
}

TEST_F(UploadTest, ARequestIdMakesStartingIdempotent) {
  const auto start = [&](const v1::StartUploadRequest& request, std::string& upload) {
    grpc::ClientContext context;
    v1::StartUploadResponse response;
    const WireStatus wire = ReadWireStatus(stub_->StartUpload(&context, request, &response));
    upload = response.upload_id();
    return wire;
  };
  v1::StartUploadRequest request = StartRequest();
  request.set_request_id("once");
  std::string first;
  std::string second;
  EXPECT_EQ(start(request, first).code, grpc::StatusCode::OK);
  EXPECT_EQ(start(request, second).code, grpc::StatusCode::OK);
  EXPECT_EQ(first, second);
  request.mutable_description()->set_rows(7);
  EXPECT_EQ(start(request, second).reason, "REQUEST_ID_REUSED");
}

TEST_F(UploadTest, SurfacesOfEveryTypeComeAndGo) {
  client::Client& client = server_.client();
  for (int type = 1; type <= 8; ++type) {
    const CostSurface surface =
        RandomSurface({20, 30}, static_cast<ValueType>(type), Temper::kUniform, 4);
    const std::string id = "type-" + std::to_string(type);
    ASSERT_OK_AND_ASSIGN(const v1::Surface stored, Put(client, id, surface));
    EXPECT_EQ(stored.description().value_type(), type);
    ASSERT_OK_AND_ASSIGN(const v1::Surface got, client.GetSurface("surfaces/" + id));
    EXPECT_EQ(got.SerializeAsString(), stored.SerializeAsString());
    EXPECT_THAT(client.GetSurface("surfaces/" + id + "@" + stored.revision()), IsOk());
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<v1::Surface> all, client.ListSurfaces());
  EXPECT_EQ(all.size(), 8u);
  ASSERT_OK_AND_ASSIGN(v1::GetServerInfoResponse info, client.GetServerInfo());
  EXPECT_EQ(info.surfaces(), 8u);
  EXPECT_GT(info.surface_bytes(), 20u * 30u * 27u);
  for (const v1::Surface& surface : all) EXPECT_THAT(client.DeleteSurface(surface.name()), IsOk());
  ASSERT_OK_AND_ASSIGN(info, client.GetServerInfo());
  EXPECT_EQ(info.surfaces(), 0u);
  EXPECT_EQ(info.surface_bytes(), 0u);
}

TEST_F(UploadTest, NegativeFrictionsAreCountedOrRefused) {
  const CostSurface surface = Surface({{1, -2}, {-3, 4}});
  ASSERT_OK_AND_ASSIGN(const v1::Surface stored, Put(server_.client(), "s", surface));
  EXPECT_EQ(stored.statistics().negative_cells(), 2u);
  EXPECT_THAT(stored.warnings(), testing::ElementsAre(HasSubstr("negative")));
  client::PutSurfaceRequest request;
  request.surface_id = "t";
  request.description = DescriptionOf(surface);
  request.description.set_negative(v1::NEGATIVE_POLICY_ERROR);
  request.cells = BytesOf(surface);
  EXPECT_THAT(server_.client().PutSurface(request), HasReason("NEGATIVE_FRICTION"));
}

TEST_F(UploadTest, CreateOnlyDoesNotPublishOver) {
  client::PutSurfaceRequest request;
  request.surface_id = "s";
  request.description = DescriptionOf(surface_);
  request.cells = bytes_;
  request.create_only = true;
  EXPECT_THAT(server_.client().PutSurface(request), IsOk());
  EXPECT_THAT(server_.client().PutSurface(request), HasReason("SURFACE_EXISTS"));
}

TEST_F(UploadTest, TooFewCellsAreNoticedByTheClient) {
  client::PutSurfaceRequest request;
  request.surface_id = "s";
  request.description = DescriptionOf(surface_);
  request.cells = bytes_.substr(0, 1000);
  EXPECT_THAT(server_.client().PutSurface(request), HasField("cells"));
}

TEST_F(UploadTest, PutSurfaceResumesAfterBrokenConnections) {
  const CostSurface big =
      RandomSurface({1000, 1000}, ValueType::kFloat64, Temper::kUniform, 12);  // 8 MB
  TemporaryFolder folder;
  const std::string listen = folder.File("proxy");
  CuttingProxy proxy(listen, server_.address().substr(std::string("unix:").size()),
                     {3'000'000, 100'000, 2'500'000});
  ASSERT_OK_AND_ASSIGN(const auto client, client::Client::Connect("unix:" + listen));
  ASSERT_OK_AND_ASSIGN(const v1::Surface through_cuts, Put(*client, "cut", big));
  EXPECT_GE(proxy.connections(), 4);
  ASSERT_OK_AND_ASSIGN(const v1::Surface straight, Put(server_.client(), "straight", big));
  EXPECT_EQ(through_cuts.xxh3_128(), straight.xxh3_128());
}

TEST_F(UploadTest, PutSurfaceCanBeCancelled) {
  const CostSurface big = RandomSurface({2000, 2000}, ValueType::kFloat64, Temper::kUniform, 12);
  client::PutSurfaceRequest request;
  request.surface_id = "s";
  request.description = DescriptionOf(big);
  request.cells = BytesOf(big);
  std::atomic<bool> cancel{false};
  request.on_progress = [&](uint64_t sent, uint64_t total) {
    EXPECT_LE(sent, total);
    cancel = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const auto put =
      server_.client().PutSurface(request, {.cancelled = [&] { return cancel.load(); }});
  EXPECT_EQ(put.status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace talweg::test
