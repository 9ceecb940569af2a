#include "talweg/formats/csv_points.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "csv_table.h"
#include "point_ids.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kExpectedHeader =
    "a first line that names the columns row,col or x,y or lon,lat, and optionally id";

// A pair of columns that holds a position.
struct PositionNames {
  CsvPosition position;
  std::string_view first;
  std::string_view second;
};
constexpr PositionNames kPositions[] = {{CsvPosition::kRowCol, "row", "col"},
                                        {CsvPosition::kXY, "x", "y"},
                                        {CsvPosition::kLonLat, "lon", "lat"}};

// Where the columns are that matter.
struct Columns {
  CsvPosition position = CsvPosition::kRowCol;
  size_t first = 0;
  size_t second = 0;
  std::optional<size_t> id;
  size_t count = 0;
  std::string first_name, second_name;  // as in kPositions
  std::string ignored_pair;             // a second pair that is present, e.g. "lon,lat"
};

bool SameName(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(absl::string_view(a.data(), a.size()),
                                absl::string_view(b.data(), b.size()));
}

// Index of the column; FILE_LINE when the name occurs twice.
absl::StatusOr<std::optional<size_t>> Find(std::string_view path, const CsvRecord& header,
                                           std::string_view name) {
  std::optional<size_t> found;
  for (size_t i = 0; i < header.fields.size(); ++i) {
    const absl::string_view text = absl::StripAsciiWhitespace(header.fields[i].text);
    if (!SameName({text.data(), text.size()}, name)) continue;
    if (found) {
      return FileLine(path, header.line,
                      absl::StrCat("two columns are named \"",
                                   absl::string_view(name.data(), name.size()), "\""),
                      "one");
    }
    found = i;
  }
  return found;
}

// The columns of a header; nothing when it names no position.
absl::StatusOr<std::optional<Columns>> FindColumns(std::string_view path, const CsvRecord& header,
                                                   const PointReadOptions& options) {
  std::optional<Columns> columns;
  for (const PositionNames& names : kPositions) {
    TALWEG_ASSIGN_OR_RETURN(const auto first, Find(path, header, names.first));
    TALWEG_ASSIGN_OR_RETURN(const auto second, Find(path, header, names.second));
    if (!first || !second) continue;
    if (columns) {
      columns->ignored_pair = std::string(names.first) + "," + std::string(names.second);
      break;
    }
    columns = Columns{.position = names.position,
                      .first = *first,
                      .second = *second,
                      .id = std::nullopt,
                      .count = header.fields.size(),
                      .first_name = std::string(names.first),
                      .second_name = std::string(names.second),
                      .ignored_pair = ""};
  }
  if (!columns) return columns;
  const std::string id_name = options.id_field.empty() ? "id" : options.id_field;
  TALWEG_ASSIGN_OR_RETURN(columns->id, Find(path, header, id_name));
  if (!columns->id && !options.id_field.empty()) {
    return FileLine(path, header.line,
                    absl::StrCat("no column is named \"", options.id_field, "\""),
                    "the column that --id-field names");
  }
  return columns;
}

struct Dialect {
  char delimiter = ',';
  Columns columns;
};

// The delimiter under which the first line names a position.
absl::StatusOr<Dialect> FindDialect(std::string_view path, std::string_view text,
                                    const PointReadOptions& options) {
  CsvRecord plain;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    CsvReader reader(path, text, delimiter);
    auto header = reader.Next();
    if (!header.ok()) continue;  // quotes that end oddly under a wrong delimiter
    if (delimiter == ',') plain = *header;
    TALWEG_ASSIGN_OR_RETURN(auto columns, FindColumns(path, *header, options));
    if (columns) return Dialect{delimiter, *std::move(columns)};
  }
  if (plain.fields.empty()) return FileContent(path, "holds no line of text", kExpectedHeader);
  std::string names;
  for (const CsvField& field : plain.fields) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", field.text.substr(0, 40));
  }
  return FileLine(path, plain.line,
                  absl::StrCat("names no columns with a position (\"", names.substr(0, 120), "\")"),
                  kExpectedHeader);
}

absl::StatusOr<double> ParseNumber(std::string_view path, const CsvRecord& record,
                                   const CsvField& field, std::string_view name) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(field.text);
  std::string_view text(trimmed.data(), trimmed.size());
  const std::string column(name);
  if (text.empty()) return FileLine(path, record.line, column + " is empty", "a number");
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    const bool decimal_comma = text.find(',') != std::string_view::npos;
    return FileLine(path, record.line, absl::StrCat(column, " is \"", trimmed.substr(0, 40), "\""),
                    decimal_comma ? "a number with a decimal point" : "a number");
  }
  if (!std::isfinite(value)) {
    return FileLine(path, record.line, absl::StrCat(column, " is \"", trimmed, "\""),
                    "a finite number");
  }
  return value;
}

absl::StatusOr<int64_t> ParseIndex(std::string_view path, const CsvRecord& record,
                                   const CsvField& field, std::string_view name) {
  TALWEG_ASSIGN_OR_RETURN(const double value, ParseNumber(path, record, field, name));
  constexpr double kLargest = 9007199254740992.0;  // 2^53: whole numbers are exact up to here
  if (value != std::trunc(value) || std::abs(value) > kLargest) {
    return FileLine(path, record.line,
                    absl::StrCat(std::string(name), " is \"",
                                 absl::StripAsciiWhitespace(field.text).substr(0, 40), "\""),
                    "a whole number: rows and columns count cells from 0");
  }
  return static_cast<int64_t>(value);
}

absl::Status CheckFieldCount(std::string_view path, const CsvRecord& record,
                             const Columns& columns) {
  const size_t needed = std::max({columns.first, columns.second, columns.id.value_or(0)}) + 1;
  if (record.fields.size() < needed) {
    return FileLine(path, record.line, absl::StrCat("has ", record.fields.size(), " values"),
                    absl::StrCat(columns.count, ", as many as the header"));
  }
  for (size_t i = columns.count; i < record.fields.size(); ++i) {
    if (record.fields[i].text.empty()) continue;  // delimiters at the end of a line
    return FileLine(path, record.line, absl::StrCat("has ", record.fields.size(), " values"),
                    absl::StrCat(columns.count, ", as many as the header"));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Point> ParsePoint(std::string_view path, const CsvRecord& record,
                                     const Columns& columns) {
  v1::Point point;
  const CsvField& first = record.fields[columns.first];
  const CsvField& second = record.fields[columns.second];
  if (columns.position == CsvPosition::kRowCol) {
    TALWEG_ASSIGN_OR_RETURN(const int64_t row, ParseIndex(path, record, first, columns.first_name));
    TALWEG_ASSIGN_OR_RETURN(const int64_t col,
                            ParseIndex(path, record, second, columns.second_name));
    point.mutable_cell()->set_row(row);
    point.mutable_cell()->set_col(col);
  } else {
    TALWEG_ASSIGN_OR_RETURN(const double x, ParseNumber(path, record, first, columns.first_name));
    TALWEG_ASSIGN_OR_RETURN(const double y, ParseNumber(path, record, second, columns.second_name));
    point.mutable_xy()->set_x(x);
    point.mutable_xy()->set_y(y);
  }
  if (columns.id) point.set_id(record.fields[*columns.id].text);
  return point;
}

}  // namespace

absl::StatusOr<CsvPoints> ParseCsvPoints(std::string_view path, std::string_view text,
                                         const PointReadOptions& options) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return FileContent(path, "is UTF-16 text", "UTF-8");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  TALWEG_ASSIGN_OR_RETURN(const Dialect dialect, FindDialect(path, text, options));
  CsvReader reader(path, text, dialect.delimiter);
  TALWEG_RETURN_IF_ERROR(reader.Next().status());  // the header

  CsvPoints result;
  result.position = dialect.columns.position;
  IdRegister ids;
  while (true) {
    TALWEG_ASSIGN_OR_RETURN(const CsvRecord record, reader.Next());
    if (record.fields.empty()) break;
    TALWEG_RETURN_IF_ERROR(CheckFieldCount(path, record, dialect.columns));
    TALWEG_ASSIGN_OR_RETURN(v1::Point point, ParsePoint(path, record, dialect.columns));
    // Before the id may enter a protobuf string.
    if (const auto problem = IdProblem(point.id()))
      return FileLine(path, record.line, *problem, "");
    if (point.id().empty()) point.set_id(std::to_string(result.input.points.size()));
    if (const auto before = ids.Add(point.id(), absl::StrCat("line ", record.line))) {
      return FileLine(path, record.line,
                      absl::StrCat("the id \"", point.id(), "\" was used before, in ", *before),
                      "an id of its own for each point");
    }
    result.input.points.push_back(std::move(point));
  }
  if (result.input.points.empty()) {
    return FileContent(path, "names columns and holds no point", "at least one point");
  }
  if (!dialect.columns.ignored_pair.empty()) {
    result.input.warnings.push_back(
        absl::StrCat(std::string(path), " has more than one position per point; ",
                     dialect.columns.first_name, ",", dialect.columns.second_name, " is used, ",
                     dialect.columns.ignored_pair, " is ignored"));
  }
  return result;
}

}  // namespace talweg::formats
