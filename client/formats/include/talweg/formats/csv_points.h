// Points from comma-separated text.
#ifndef TALWEG_FORMATS_CSV_POINTS_H_
#define TALWEG_FORMATS_CSV_POINTS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "talweg/formats/point_reader.h"

namespace talweg::formats {

// The positions a table may hold; the names of its columns say which.
enum class CsvPosition : uint8_t { kRowCol, kXY, kLonLat };

struct CsvPoints {
  CsvPosition position = CsvPosition::kRowCol;
  // kXY: as written; kLonLat: x = longitude, y = latitude, untransformed.
  PointInput input;
};

// Reads a whole file. Its first line names the columns, in any case: `row,col`
// or `x,y` or `lon,lat` (the first of these it has, with a warning when it has
// more), optionally an id; other columns are ignored.
//
// Accepted: commas, semicolons, tabs or bars; LF, CRLF or CR; a byte order mark;
// RFC 4180 quotes; spaces around values; blank lines. rows and cols are whole
// numbers ("3" or "3.0"). Refused with the line: missing or additional values,
// text, NaN and infinities in positions, decimal commas, ids longer than 256
// bytes or not UTF-8, and the same id twice.
absl::StatusOr<CsvPoints> ParseCsvPoints(std::string_view path, std::string_view text,
                                         const PointReadOptions& options = {});

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_CSV_POINTS_H_
