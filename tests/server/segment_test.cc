#include "talweg/store/segment.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "process_facts.h"
#include "stored_surfaces.h"
#include "talweg/store/checksum.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg::store {
namespace {

using test::HasReason;
using test::IsOk;

constexpr uint64_t kBytes = 3 * 4096;

FileDescriptor SealedSegment(char fill) {
  auto segment = WritableSegment::Create(kBytes);
  EXPECT_THAT(segment, IsOk());
  std::memset(segment->bytes().data(), fill, segment->bytes().size());
  auto sealed = std::move(*segment).Seal();
  EXPECT_THAT(sealed, IsOk());
  return std::move(*sealed);
}

FileDescriptor Memfd(unsigned int flags) {
  FileDescriptor file(memfd_create("talweg-test", flags | MFD_CLOEXEC));
  EXPECT_EQ(ftruncate(file.get(), kBytes), 0);
  return file;
}

FileDescriptor Reopen(const FileDescriptor& file, int flags) {
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  return FileDescriptor(open(path.c_str(), flags | O_CLOEXEC));
}

TEST(Segment, SealedOneCanBeReadByAll) {
  const FileDescriptor sealed = SealedSegment('x');
  ASSERT_OK_AND_ASSIGN(const SegmentMapping mapping, MapSealedSegment(sealed));
  ASSERT_EQ(mapping.size_bytes(), kBytes);
  EXPECT_EQ(mapping.bytes()[0], std::byte{'x'});
  EXPECT_EQ(mapping.bytes()[kBytes - 1], std::byte{'x'});
}

TEST(Segment, NoWayOfWritingToASealedOneSucceeds) {
  const FileDescriptor sealed = SealedSegment('x');
  EXPECT_EQ(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, sealed.get(), 0), MAP_FAILED);
  void* readable = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, sealed.get(), 0);
  ASSERT_NE(readable, MAP_FAILED);
  EXPECT_NE(mprotect(readable, kBytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_LT(pwrite(sealed.get(), "y", 1, 0), 0);
  EXPECT_NE(ftruncate(sealed.get(), 1), 0);
  EXPECT_NE(ftruncate(sealed.get(), 2 * kBytes), 0);
  EXPECT_NE(fallocate(sealed.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
  EXPECT_EQ(static_cast<const char*>(readable)[0], 'x');
  munmap(readable, kBytes);
}

TEST(Segment, ReopeningASealedOneForWritingGainsNothing) {
  const FileDescriptor sealed = SealedSegment('x');
  const FileDescriptor writable = Reopen(sealed, O_RDWR);
  if (!writable.valid()) return;
  EXPECT_EQ(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, writable.get(), 0),
            MAP_FAILED);
  EXPECT_LT(pwrite(writable.get(), "y", 1, 0), 0);
  EXPECT_NE(ftruncate(writable.get(), 1), 0);
  EXPECT_NE(fallocate(writable.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
  EXPECT_THAT(MapSealedSegment(writable), HasReason("SEGMENT_INVALID"));
}

TEST(Segment, ReceiverRefusesAnUnsealedOne) {
  const FileDescriptor file = Memfd(MFD_ALLOW_SEALING);
  EXPECT_THAT(MapSealedSegment(Reopen(file, O_RDONLY)), HasReason("SEGMENT_INVALID"));
}

TEST(Segment, ReceiverRefusesEveryIncompleteSetOfSeals) {
  constexpr int kAll[] = {F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE, F_SEAL_SEAL};
  for (const int missing : kAll) {
    const FileDescriptor file = Memfd(MFD_ALLOW_SEALING);
    int seals = 0;
    for (const int seal : kAll) seals |= seal == missing ? 0 : seal;
    ASSERT_EQ(fcntl(file.get(), F_ADD_SEALS, seals), 0);
    EXPECT_THAT(MapSealedSegment(Reopen(file, O_RDONLY)), HasReason("SEGMENT_INVALID"))
        << "missing seal " << missing;
  }
}

TEST(Segment, ReceiverRefusesFilesThatAreNoMemory) {
  test::TemporaryFolder folder;
  const std::string path = folder.File("plain");
  std::ofstream(path) << std::string(kBytes, 'x');
  EXPECT_THAT(MapSealedSegment(FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC))),
              HasReason("SEGMENT_INVALID"));
  EXPECT_THAT(MapSealedSegment(FileDescriptor()), HasReason("SEGMENT_INVALID"));
}

TEST(Segment, MoreThanTheHostHasIsOutOfMemoryAtOnce) {
  EXPECT_THAT(WritableSegment::Create(uint64_t{1} << 50), HasReason("OUT_OF_MEMORY"));
  EXPECT_THAT(WritableSegment::Create(uint64_t{1} << 63), HasReason("OUT_OF_MEMORY"));
}

TEST(Segment, DroppedOnesLeaveNothing) {
  const size_t descriptors = test::OpenDescriptors();
  for (int i = 0; i < 100; ++i) {
    const FileDescriptor sealed = SealedSegment('x');
    ASSERT_OK_AND_ASSIGN(const SegmentMapping mapping, MapSealedSegment(sealed));
  }
  { auto unfinished = WritableSegment::Create(kBytes); }
  EXPECT_EQ(test::OpenDescriptors(), descriptors);
  EXPECT_EQ(test::MappedSegments(), 0u);
}

TEST(Checksum, IsTheCanonicalOne) {
  // `printf abc | xxh128sum` and `printf abc | sha256sum`.
  constexpr std::string_view kText = "abc";
  EXPECT_EQ(ToHex(AsBytes(Xxh3(std::as_bytes(std::span(kText))))),
            "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(ToHex(Sha256(std::as_bytes(std::span(kText)))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);
}

TEST(Checksum, InPiecesIsTheSameAsInOne) {
  const std::string text(100'000, 'q');
  Xxh3Hasher hasher;
  for (size_t i = 0; i < text.size(); i += 777)
    hasher.Update(std::string_view(text).substr(i, 777));
  EXPECT_EQ(hasher.Digest(), Xxh3(std::as_bytes(std::span(text))));
}

}  // namespace
}  // namespace talweg::store
