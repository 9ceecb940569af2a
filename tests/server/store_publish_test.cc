#include <gmock/gmock.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "process_facts.h"
#include "stored_surfaces.h"
#include "talweg/store/checksum.h"
#include "talweg/store/store.h"
#include "talweg/test/status_matchers.h"

namespace talweg::store {
namespace {

using test::ConstantSurface;
using test::HasReason;
using test::IsOk;

TEST(Store, NewRevisionIsServedByNameAndTheOldOneToWhoHasIt) {
  Store store{StoreLimits{}};
  const auto old_one = test::Upload(store, "dem", ConstantSurface({4, 4}, 1));
  const auto new_one = test::Upload(store, "dem", ConstantSurface({5, 5}, 2));
  ASSERT_OK_AND_ASSIGN(const auto opened, store.Open("surfaces/dem"));
  EXPECT_EQ(opened, new_one);
  EXPECT_EQ(old_one->view().cells<double>()(3, 3), 1);
  EXPECT_THAT(store.Open("surfaces/dem@" + new_one->revision()), IsOk());
  const auto stale = store.Open("surfaces/dem@" + old_one->revision());
  EXPECT_THAT(stale, HasReason("REVISION_NOT_FOUND"));
  EXPECT_EQ(GetErrorDetail(stale.status()).valid_range, new_one->revision());
}

TEST(Store, OldRevisionIsFreedWithItsLastReader) {
  Store store{StoreLimits{}};
  const size_t descriptors = test::OpenDescriptors();
  auto reader = test::Upload(store, "dem", ConstantSurface({4, 4}, 1));
  test::Upload(store, "dem", ConstantSurface({4, 4}, 2));
  EXPECT_EQ(test::MappedSegments(), 2u);
  EXPECT_EQ(test::OpenDescriptors(), descriptors + 2);
  reader.reset();
  EXPECT_EQ(test::MappedSegments(), 1u);
  EXPECT_EQ(test::OpenDescriptors(), descriptors + 1);
}

TEST(Store, DeletedSurfaceLivesUntilItsLastReader) {
  Store store{StoreLimits{}};
  auto reader = test::Upload(store, "dem", ConstantSurface({4, 4}, 1));
  EXPECT_THAT(store.Delete("surfaces/dem"), IsOk());
  EXPECT_THAT(store.Open("surfaces/dem"), HasReason("SURFACE_NOT_FOUND"));
  EXPECT_THAT(store.Delete("surfaces/dem"), HasReason("SURFACE_NOT_FOUND"));
  EXPECT_EQ(reader->view().cells<double>()(0, 0), 1);
  reader.reset();
  EXPECT_EQ(test::MappedSegments(), 0u);
}

TEST(Store, DeleteTakesASurfaceNotARevision) {
  Store store{StoreLimits{}};
  const auto surface = test::Upload(store, "dem", ConstantSurface({4, 4}, 1));
  EXPECT_THAT(store.Delete("surfaces/dem@" + surface->revision()), HasReason("INVALID_VALUE"));
  EXPECT_THAT(store.Delete("dem"), HasReason("INVALID_VALUE"));
}

TEST(Store, ListIsInOrderOfNames) {
  Store store{StoreLimits{}};
  for (const char* id : {"b", "a", "c"}) test::Upload(store, id, ConstantSurface({2, 2}, 1));
  std::vector<std::string> names;
  for (const auto& surface : store.List()) names.push_back(surface->name());
  EXPECT_THAT(names, testing::ElementsAre("surfaces/a", "surfaces/b", "surfaces/c"));
  EXPECT_EQ(store.usage().surfaces, 3u);
  EXPECT_EQ(store.usage().surface_bytes, 3u * (4096 + 4 * 8));
}

TEST(Store, ThousandCyclesOfCreateAndDeleteLeaveNothing) {
  Store store{StoreLimits{}};
  const CostSurface surface = ConstantSurface({8, 8}, 1);
  test::Upload(store, "dem", surface);
  const size_t descriptors = test::OpenDescriptors();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NE(test::Upload(store, "cycle", surface), nullptr);
    ASSERT_THAT(store.Delete("surfaces/cycle"), IsOk());
  }
  EXPECT_EQ(test::OpenDescriptors(), descriptors);
  EXPECT_EQ(test::MappedSegments(), 1u);
}

// Surface k is k everywhere, with k + 1 rows: a mixture of two would show.
TEST(Store, ReadersSeeWholeRevisionsWhileWritersPublish) {
  Store store{StoreLimits{}};
  constexpr int kKinds = 8;
  std::vector<CostSurface> surfaces;
  for (int kind = 0; kind < kKinds; ++kind) {
    surfaces.push_back(ConstantSurface({kind + 1, 64}, kind));
  }
  test::Upload(store, "dem", surfaces[0]);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> reads = 0;
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        while (!stop) {
          const auto surface = store.Open("surfaces/dem");
          if (!surface.ok()) {
            ++wrong;
            continue;
          }
          const RasterView<const double> cells = (*surface)->view().cells<double>();
          const double expected = static_cast<double>(cells.shape().rows - 1);
          for (CellIndex cell = 0; cell < cells.shape().cells(); ++cell) {
            if (cells[cell] != expected) ++wrong;
          }
          if ((*surface)->statistics().largest_friction != expected) ++wrong;
          ++reads;
        }
      });
    }
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 2; ++writer) {
      writers.emplace_back([&, writer] {
        for (int i = 0; i < 100; ++i) {
          test::Upload(store, "dem", surfaces[static_cast<size_t>((i + writer) % kKinds)]);
        }
      });
    }
    writers.clear();
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(reads, 0);
  EXPECT_EQ(test::MappedSegments(), 1u);
}

TEST(Store, DeletesRacingWithPublishesAndReadsHarmNobody) {
  Store store{StoreLimits{}};
  const CostSurface surface = ConstantSurface({4, 4}, 3);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  {
    std::jthread deleter([&] {
      while (!stop) {
        const absl::Status status = store.Delete("surfaces/dem");
        if (!status.ok() && status.code() != absl::StatusCode::kNotFound) ++wrong;
      }
    });
    std::jthread reader([&] {
      while (!stop) {
        const auto opened = store.Open("surfaces/dem");
        if (opened.ok() && (*opened)->view().cells<double>()(3, 3) != 3) ++wrong;
      }
    });
    for (int i = 0; i < 200; ++i) test::Upload(store, "dem", surface);
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace talweg::store
