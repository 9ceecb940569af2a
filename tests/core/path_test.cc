#include "talweg/query/path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

const Shape kShape{4, 5};

TEST(Path, UnpacksToItsCells) {
  const Path path{.start = 6, .steps = std::string("\1\5\2", 3)};  // E, SE, S from (1, 1)
  ASSERT_OK_AND_ASSIGN(const std::vector<Cell> cells, PathCells(path, kShape));
  EXPECT_EQ(cells, (std::vector<Cell>{{1, 1}, {1, 2}, {2, 3}, {3, 3}}));
}

TEST(Path, ReversedHasTheSameCellsBackwards) {
  const Path path{.start = 12, .steps = std::string("\0\1\2\3\4\5\6\7", 8)};
  ASSERT_OK_AND_ASSIGN(std::vector<Cell> cells, PathCells(path, kShape));
  const Path reversed = ReversePath(path, kShape);
  ASSERT_OK_AND_ASSIGN(const std::vector<Cell> backwards, PathCells(reversed, kShape));
  std::reverse(cells.begin(), cells.end());
  EXPECT_EQ(backwards, cells);
  EXPECT_EQ(ReversePath(reversed, kShape), path);
}

TEST(Path, ThatLeavesTheSurfaceIsRefused) {
  EXPECT_THAT(PathCells({.start = 0, .steps = std::string(1, '\0')}, kShape),
              HasReason("PROTOCOL_ERROR"));
  EXPECT_THAT(PathCells({.start = 0, .steps = "\x63"}, kShape), HasReason("PROTOCOL_ERROR"));
  EXPECT_THAT(PathCells({.start = 20, .steps = ""}, kShape), HasReason("PROTOCOL_ERROR"));
  EXPECT_THAT(PathCells({.start = -1, .steps = ""}, kShape), HasReason("PROTOCOL_ERROR"));
}

TEST(Path, IsAsLongAsItsSteps) {
  EXPECT_EQ(PathLength({.start = 0, .steps = ""}, {}), 0);
  EXPECT_EQ(
      PathLength({.start = 0, .steps = std::string("\1\2", 2)}, RightAngledStepLengths(10, 3)), 13);
}

}  // namespace
}  // namespace talweg::test
