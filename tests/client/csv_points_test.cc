#include "talweg/formats/csv_points.h"

#include <gtest/gtest.h>

#include "talweg/test/status_matchers.h"

namespace talweg {
namespace {

using formats::CsvPoints;
using formats::CsvPosition;
using formats::ParseCsvPoints;
using test::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Ids(const CsvPoints& points) {
  std::vector<std::string> ids;
  for (const v1::Point& point : points.input.points) ids.push_back(point.id());
  return ids;
}

// "row col" or "x y" of each point.
std::vector<std::string> Positions(const CsvPoints& points) {
  std::vector<std::string> texts;
  for (const v1::Point& point : points.input.points) {
    std::ostringstream text;
    if (point.has_cell()) text << point.cell().row() << " " << point.cell().col();
    if (point.has_xy()) text << point.xy().x() << " " << point.xy().y();
    texts.push_back(text.str());
  }
  return texts;
}

struct Accepted {
  const char* name;
  std::string text;
  std::vector<std::string> ids;
  std::vector<std::string> positions;
};

class CsvAccepted : public ::testing::TestWithParam<Accepted> {};

TEST_P(CsvAccepted, IsRead) {
  const auto points = ParseCsvPoints("p.csv", GetParam().text);
  ASSERT_THAT(points, IsOk());
  EXPECT_EQ(Ids(*points), GetParam().ids);
  EXPECT_EQ(Positions(*points), GetParam().positions);
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, CsvAccepted,
    ::testing::Values(
        Accepted{"Plain", "id,row,col\na,1,2\nb,3,4\n", {"a", "b"}, {"1 2", "3 4"}},
        Accepted{"NoId", "row,col\n1,2\n3,4\n", {"0", "1"}, {"1 2", "3 4"}},
        Accepted{"NoLineEnd", "row,col\n1,2", {"0"}, {"1 2"}},
        Accepted{"AnyCase", "ID,Row,COL\na,1,2\n", {"a"}, {"1 2"}},
        Accepted{"AnyOrder", "col,extra,id,row\n2,zzz,a,1\n", {"a"}, {"1 2"}},
        Accepted{"ByteOrderMark", "\xef\xbb\xbfrow,col\n1,2\n", {"0"}, {"1 2"}},
        Accepted{"CrLf", "row,col\r\n1,2\r\n3,4\r\n", {"0", "1"}, {"1 2", "3 4"}},
        Accepted{"Cr", "row,col\r1,2\r3,4\r", {"0", "1"}, {"1 2", "3 4"}},
        Accepted{"Semicolons", "id;x;y\na;1.5;2.5\n", {"a"}, {"1.5 2.5"}},
        Accepted{"Tabs", "id\tx\ty\na b\t1.5\t2.5\n", {"a b"}, {"1.5 2.5"}},
        Accepted{"Bars", "x|y\n1|2\n", {"0"}, {"1 2"}},
        Accepted{"QuotedHeader", "\"id\",\"x\",\"y\"\n1,2,3\n", {"1"}, {"2 3"}},
        Accepted{"QuotedIds",
                 "id,x,y\n\"a,b\",1,2\n\"say \"\"hi\"\"\",3,4\n",
                 {"a,b", "say \"hi\""},
                 {"1 2", "3 4"}},
        Accepted{"QuotedLineEnd", "id,x,y\n\"two\nlines\",1,2\n", {"two\nlines"}, {"1 2"}},
        Accepted{"QuotedNumbers", "id,x,y\na,\"1\",\" 2 \"\n", {"a"}, {"1 2"}},
        Accepted{"Spaces", " id , x , y \n a , 1 , 2 \n", {"a"}, {"1 2"}},
        Accepted{"BlankLines", "\n\nx,y\n\n1,2\n   \n3,4\n\n", {"0", "1"}, {"1 2", "3 4"}},
        Accepted{"MissingIds", "id,x,y\na,1,2\n,3,4\n", {"a", "1"}, {"1 2", "3 4"}},
        Accepted{"WholeNumbersWithPoint", "row,col\n1.0,2e0\n", {"0"}, {"1 2"}},
        Accepted{"Negative", "row,col\n-1,+2\n", {"0"}, {"-1 2"}},
        Accepted{"Exponents", "x,y\n1e3,-2.5E-1\n", {"0"}, {"1000 -0.25"}},
        Accepted{"TrailingDelimiter", "x,y\n1,2,\n", {"0"}, {"1 2"}},
        Accepted{"MissingIgnoredColumn", "x,y,note\n1,2\n", {"0"}, {"1 2"}},
        Accepted{"Utf8Ids", "id,x,y\nZ\xc3\xbcrich,1,2\n", {"Z\xc3\xbcrich"}, {"1 2"}}),
    [](const auto& row) { return row.param.name; });

struct Refused {
  const char* name;
  std::string text;
  std::vector<std::string> message;  // parts of it
};

class CsvRefused : public ::testing::TestWithParam<Refused> {};

TEST_P(CsvRefused, SaysWhereAndWhy) {
  const auto points = ParseCsvPoints("p.csv", GetParam().text);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string message(points.status().message());
  EXPECT_THAT(message, HasSubstr("p.csv"));
  for (const std::string& part : GetParam().message) EXPECT_THAT(message, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, CsvRefused,
    ::testing::Values(
        Refused{"Empty", "", {"holds no line"}}, Refused{"HeaderOnly", "x,y\n", {"holds no point"}},
        Refused{"NoHeader", "1,2\n3,4\n", {"line 1", "row,col or x,y or lon,lat"}},
        Refused{"HalfAPair", "row,y\n1,2\n", {"line 1", "row,col"}},
        Refused{"TwoColumnsOfOneName", "x,y,X\n1,2,3\n", {"line 1", "two columns"}},
        Refused{"Text", "x,y\n1,2\nthree,4\n", {"line 3", "x is \"three\""}},
        Refused{"EmptyValue", "x,y\n1,\n", {"line 2", "y is empty"}},
        Refused{"TooFewValues", "x,y\n1\n", {"line 2", "has 1 values; expected 2"}},
        Refused{"TooManyValues", "x,y\n1,2,3\n", {"line 2", "has 3 values; expected 2"}},
        Refused{"NaN", "x,y\n1,nan\n", {"line 2", "finite"}},
        Refused{"Infinity", "x,y\ninf,1\n", {"line 2", "finite"}},
        Refused{"Fraction", "row,col\n1,2\n3.5,4\n", {"line 3", "3.5", "whole number"}},
        Refused{"HugeRow", "row,col\n1e30,4\n", {"line 2", "whole number"}},
        Refused{"DecimalComma", "x;y\n1,5;2,5\n", {"line 2", "decimal point"}},
        Refused{"SameId", "id,x,y\na,1,2\n\nb,3,4\na,5,6\n", {"line 5", "\"a\"", "line 2"}},
        Refused{"GivenIdMeetsCountedOne", "id,x,y\n1,1,2\n,3,4\n", {"line 3", "\"1\"", "line 2"}},
        Refused{"OpenQuote", "id,x,y\n\"a,1,2\n", {"line 2", "never closed"}},
        Refused{"TextAfterQuote", "id,x,y\n\"a\"b,1,2\n", {"line 2", "follows a quoted"}},
        Refused{"Latin1", "id,x,y\nZ\xfcrich,1,2\n", {"line 2", "not UTF-8"}},
        Refused{"LongId", "id,x,y\n" + std::string(257, 'a') + ",1,2\n", {"line 2", "257 bytes"}},
        Refused{"Utf16", std::string("\xff\xfex\0,\0y\0", 8), {"UTF-16"}},
        Refused{"LineAfterQuotedLineEnd", "id,x,y\n\"two\nlines\",1,2\nb,z,4\n", {"line 4"}}),
    [](const auto& row) { return row.param.name; });

TEST(CsvPoints, TheFirstOfSeveralPositionsIsUsedWithAWarning) {
  ASSERT_OK_AND_ASSIGN(const CsvPoints points, ParseCsvPoints("p.csv", "lon,lat,x,y\n7,8,1,2\n"));
  EXPECT_EQ(points.position, CsvPosition::kXY);
  EXPECT_THAT(Positions(points), ElementsAre("1 2"));
  ASSERT_EQ(points.input.warnings.size(), 1u);
  EXPECT_THAT(points.input.warnings[0], HasSubstr("lon,lat is ignored"));
}

TEST(CsvPoints, LongitudeAndLatitudeAreToldApart) {
  ASSERT_OK_AND_ASSIGN(const CsvPoints points, ParseCsvPoints("p.csv", "Lat,Lon\n47,8\n"));
  EXPECT_EQ(points.position, CsvPosition::kLonLat);
  EXPECT_THAT(Positions(points), ElementsAre("8 47"));
}

TEST(CsvPoints, AnotherColumnOfIdsCanBeNamed) {
  ASSERT_OK_AND_ASSIGN(const CsvPoints points,
                       ParseCsvPoints("p.csv", "id,Hut,x,y\n1,A,2,3\n", {.id_field = "hut"}));
  EXPECT_THAT(Ids(points), ElementsAre("A"));
  const auto absent = ParseCsvPoints("p.csv", "id,x,y\n1,2,3\n", {.id_field = "hut"});
  EXPECT_THAT(std::string(absent.status().message()), HasSubstr("no column is named \"hut\""));
}

}  // namespace
}  // namespace talweg
