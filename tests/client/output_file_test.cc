#include "talweg/formats/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "npy_file.h"
#include "talweg/test/shared_data.h"
#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::CheckWritable;
using formats::OutputSet;
using test::HasReason;
using test::IsOk;

std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(OutputFile, AppearsOnCommitAndNotBefore) {
  const test::TemporaryFolder folder;
  test::WriteFile(folder.File("old.csv"), "before");
  OutputSet outputs;
  ASSERT_THAT(outputs.Stage(folder.File("old.csv")).Append("after"), IsOk());
  ASSERT_THAT(outputs.Stage(folder.File("new.csv")).Append(std::string(3'000'000, 'x')), IsOk());
  EXPECT_EQ(test::ReadFile(folder.File("old.csv")), "before");
  EXPECT_FALSE(std::filesystem::exists(folder.File("new.csv")));
  ASSERT_THAT(outputs.Commit(), IsOk());
  EXPECT_EQ(test::ReadFile(folder.File("old.csv")), "after");
  EXPECT_EQ(test::ReadFile(folder.File("new.csv")).size(), 3'000'000u);
  EXPECT_THAT(Names(folder.path()), ::testing::ElementsAre("new.csv", "old.csv"));
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const test::TemporaryFolder folder;
  {
    OutputSet outputs;
    auto& file = outputs.Stage(folder.File("a.gpkg"));
    test::WriteFile(file.temporary_path(), "by a library");
    test::WriteFile(file.temporary_path() + "-journal", "its journal");
    ASSERT_THAT(outputs.Stage(folder.File("b.csv")).Append("text"), IsOk());
  }
  EXPECT_THAT(Names(folder.path()), ::testing::IsEmpty());
}

TEST(OutputFile, KeepsTheExtensionWhileUnderConstruction) {
  const test::TemporaryFolder folder;
  OutputSet outputs;
  EXPECT_TRUE(outputs.Stage(folder.File("a.gpkg")).temporary_path().ends_with(".gpkg"));
}

TEST(OutputFile, IsWrittenThroughASymbolicLink) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("real"));
  test::WriteFile(folder.File("real/a.csv"), "before");
  std::filesystem::create_symlink(folder.File("real/a.csv"), folder.File("link.csv"));
  OutputSet outputs;
  ASSERT_THAT(outputs.Stage(folder.File("link.csv")).Append("after"), IsOk());
  ASSERT_THAT(outputs.Commit(), IsOk());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("link.csv")));
  EXPECT_EQ(test::ReadFile(folder.File("real/a.csv")), "after");
}

TEST(OutputFile, WhatCannotBeWrittenIsKnownBefore) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(CheckWritable(folder.File("a.csv")), IsOk());
  EXPECT_THAT(Names(folder.path()), ::testing::IsEmpty());
  EXPECT_THAT(CheckWritable(folder.File("absent/a.csv")), HasReason("FILE_UNWRITABLE"));
  EXPECT_THAT(CheckWritable(folder.path()), HasReason("FILE_UNWRITABLE"));
  EXPECT_THAT(CheckWritable("/proc/a.csv"), HasReason("FILE_UNWRITABLE"));
}

TEST(OutputFile, OneFailureCommitsNothing) {
  const test::TemporaryFolder folder;
  {
    OutputSet outputs;
    ASSERT_THAT(outputs.Stage(folder.File("a.csv")).Append("text"), IsOk());
    outputs.Stage(folder.File("never-written.tif"));
    EXPECT_THAT(outputs.Commit(), HasReason("WRITE_FAILED"));
  }
  EXPECT_THAT(Names(folder.path()), ::testing::IsEmpty());
}

}  // namespace
}  // namespace talweg
