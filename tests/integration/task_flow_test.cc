// Handlers without a socket: a store, real workers, and a stand-in for the
// client.
#include <gtest/gtest.h>
#include <openssl/sha.h>
#include <zlib.h>

#include <thread>

#include "requests.h"
#include "talweg/service/handlers.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg::service {
namespace {

using test::HasReason;
using test::IsOk;

template <class T>
class ListWriter final : public StreamWriter<T> {
 public:
  absl::Status Write(T message) override {
    if (messages.size() >= accept) return RequestCancelled(0);
    messages.push_back(std::move(message));
    return absl::OkStatus();
  }
  std::vector<T> messages;
  size_t accept = 1'000'000;  // then the client is gone
};

template <class T>
class ListReader final : public StreamReader<T> {
 public:
  explicit ListReader(std::vector<T> messages) : messages_(std::move(messages)) {}
  absl::StatusOr<const T*> Read() override {
    return next_ < messages_.size() ? &messages_[next_++] : nullptr;
  }

 private:
  std::vector<T> messages_;
  size_t next_ = 0;
};

class HandlerTest : public testing::Test {
 protected:
  void SetUp() override {
    workers::PoolOptions options;
    options.workers = 2;
    options.worker_binary = test::ProgramPath("talweg-worker");
    ASSERT_OK_AND_ASSIGN(pool_, workers::WorkerPool::Start(options));
    backend_.emplace(Backend{.store = store_, .pool = *pool_, .limits = {}});
  }

  CallContext Call() { return {.backend = *backend_, .cancel = cancel_}; }

  void Publish(const std::string& id, const CostSurface& surface) {
    store::StartUploadRequest start;
    start.surface_id = id;
    start.description = surface.description();
    ASSERT_OK_AND_ASSIGN(const store::UploadState upload, store_.StartUpload(start));
    const std::string bytes(test::BytesOf(surface));
    constexpr size_t kChunk = 1024 * 1024;
    std::vector<v1::WriteUploadRequest> chunks;
    for (size_t offset = 0; offset < bytes.size(); offset += kChunk) {
      v1::WriteUploadRequest& chunk = chunks.emplace_back();
      chunk.set_upload_id(upload.upload_id);
      chunk.set_offset(offset);
      chunk.set_data(bytes.substr(offset, kChunk));
      chunk.set_crc32(Crc32(chunk.data()));
    }
    ListReader<v1::WriteUploadRequest> reader(chunks);
    v1::WriteUploadResponse written;
    CallContext call = Call();
    ASSERT_THAT(WriteUpload(call, reader, written), IsOk());
    EXPECT_EQ(written.committed_offset(), bytes.size());
    v1::FinishUploadRequest finish;
    finish.set_upload_id(upload.upload_id);
    finish.set_sha256(Sha256(bytes));
    v1::Surface published;
    ASSERT_THAT(FinishUpload(call, finish, published), IsOk());
  }

  static uint32_t Crc32(const std::string& bytes);
  static std::string Sha256(const std::string& bytes);

  store::Store store_{store::StoreLimits{}};
  std::unique_ptr<workers::WorkerPool> pool_;
  std::optional<Backend> backend_;
  CancelSignal cancel_;
};

uint32_t HandlerTest::Crc32(const std::string& bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string HandlerTest::Sha256(const std::string& bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

v1::ComputeMatrixRequest AllPairs(const std::vector<std::pair<int64_t, int64_t>>& cells) {
  v1::ComputeMatrixRequest request;
  *request.mutable_recipe() = test::RecipeOn("surfaces/a");
  *request.mutable_sources() = test::Cells(cells);
  return request;
}

TEST_F(HandlerTest, AMatrixIsHeaderPairsSummary) {
  Publish("a", test::Uniform({10, 10}, 1));
  ListWriter<v1::ComputeMatrixResponse> writer;
  CallContext call = Call();
  ASSERT_THAT(ComputeMatrix(call, AllPairs({{0, 0}, {0, 9}}), writer), IsOk());
  ASSERT_EQ(writer.messages.size(), 3u);
  EXPECT_TRUE(writer.messages[0].has_header());
  EXPECT_EQ(writer.messages[1].pairs().source_size(), 4);
  EXPECT_EQ(writer.messages[2].summary().searches(), 2u);
}

TEST_F(HandlerTest, AClientThatLeavesEndsTheCall) {
  Publish("a", test::Uniform({10, 10}, 1));
  ListWriter<v1::ComputeMatrixResponse> writer;
  writer.accept = 1;
  CallContext call = Call();
  EXPECT_THAT(ComputeMatrix(call, AllPairs({{0, 0}, {0, 9}}), writer), HasReason("CANCELLED"));
}

TEST_F(HandlerTest, ASignalEndsAWaitingCallAtOnce) {
  Publish("a", test::RandomSurface({3000, 3000}, ValueType::kFloat32, test::Temper::kUniform, 1));
  ListWriter<v1::ComputeMatrixResponse> writer;
  CallContext call = Call();
  std::thread raiser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel_.Raise(ShuttingDown());
  });
  std::vector<std::pair<int64_t, int64_t>> cells;
  for (int64_t i = 0; i < 100; ++i) cells.emplace_back(29 * i, 2999 - 29 * i);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(ComputeMatrix(call, AllPairs(cells), writer), HasReason("SHUTTING_DOWN"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  raiser.join();
}

TEST_F(HandlerTest, ACallOfManyTasksLeavesRoomForOthers) {
  pool_.reset();
  workers::PoolOptions options;
  options.workers = 1;
  options.worker_binary = test::ProgramPath("talweg-worker");
  options.queue_length = 3;  // far fewer than the searches below
  ASSERT_OK_AND_ASSIGN(pool_, workers::WorkerPool::Start(options));
  backend_.emplace(Backend{.store = store_, .pool = *pool_, .limits = {}});
  Publish("a", test::Uniform({40, 40}, 1));
  std::vector<std::pair<int64_t, int64_t>> cells;
  for (int64_t i = 0; i < 40; ++i) cells.emplace_back(i, 39 - i);
  ListWriter<v1::ComputeMatrixResponse> writer;
  CallContext call = Call();
  EXPECT_THAT(ComputeMatrix(call, AllPairs(cells), writer), IsOk());
}

TEST_F(HandlerTest, AHeaderOfVeryManyPointsComesInParts) {
  Publish("a", test::Uniform({2, 2}, 1));
  v1::ComputeCostFieldRequest request;
  *request.mutable_recipe() = test::RecipeOn("surfaces/a");
  *request.mutable_sources() =
      test::Cells(std::vector<std::pair<int64_t, int64_t>>(100'000, {1, 1}));
  for (v1::Point& point : *request.mutable_sources()->mutable_points()) point.set_id("point");
  ListWriter<v1::ComputeCostFieldResponse> writer;
  CallContext call = Call();
  ASSERT_THAT(ComputeCostField(call, request, writer), IsOk());
  int points = 0;
  bool more = true;
  for (const v1::ComputeCostFieldResponse& message : writer.messages) {
    if (!message.has_header()) continue;
    EXPECT_TRUE(more);
    more = message.header().more();
    points += message.header().sources_size();
    EXPECT_LE(message.ByteSizeLong(), kBlockBytes + 100);
  }
  EXPECT_FALSE(more);
  EXPECT_EQ(points, 100'000);
}

TEST_F(HandlerTest, APathTooLongForAMessageIsRefusedWithTheLimit) {
  Publish("a", test::Uniform({1, 50}, 1));
  backend_->limits.max_path_steps = 10;
  v1::ComputeMatrixRequest request = AllPairs({{0, 0}, {0, 49}});
  request.set_include_paths(true);
  ListWriter<v1::ComputeMatrixResponse> writer;
  CallContext call = Call();
  const absl::Status status = ComputeMatrix(call, request, writer);
  EXPECT_THAT(status, HasReason("LIMIT_EXCEEDED"));
  EXPECT_THAT(status, test::HasField("max_path_steps"));
}

TEST_F(HandlerTest, RoutesThatWaitForTheirTurnAreBounded) {
  Publish("a", test::Uniform({1, 2000}, 1));
  backend_->limits.max_reorder_bytes = 500;
  v1::FindRoutesRequest request;
  *request.mutable_recipe() = test::RecipeOn("surfaces/a");
  *request.mutable_sources() = test::Cells({{0, 0}, {0, 1999}});
  *request.mutable_destinations() = test::Cells({{0, 1000}, {0, 1}});
  // The first search answers the first and the last pair.
  for (const auto& [source, destination] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0, 1}, {1, 0}, {0, 0}}) {
    request.add_pairs()->set_source(source);
    request.mutable_pairs()->rbegin()->set_destination(destination);
  }
  ListWriter<v1::FindRoutesResponse> writer;
  CallContext call = Call();
  EXPECT_THAT(FindRoutes(call, request, writer), test::HasField("max_reorder_bytes"));
}

}  // namespace
}  // namespace talweg::service
