// A CSV file of points.
#include <cstddef>
#include <cstdint>
#include <string>

#include "talweg/formats/csv_points.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* header : {"", "row,col,id\n", "x;y\n", "lon\tlat\tid\n"}) {
    (void)talweg::formats::ParseCsvPoints("fuzz.csv", header + std::string(bytes));
  }
  return 0;
}
