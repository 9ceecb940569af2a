// Back-links in the codings of other tools.
#ifndef TALWEG_FORMATS_BACK_LINK_CODING_H_
#define TALWEG_FORMATS_BACK_LINK_CODING_H_

#include <array>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "talweg/formats/raster_writer.h"
#include "talweg/grid/neighbourhood.h"

namespace talweg::formats {

enum class BackLinkCoding {
  kTalweg,    // uint8: index of the entering move; 255 source, 254 not reached, 253 impassable
  kSkimage,   // int16: index into MCP.offsets of the entering move; -1 source, -2 neither
  kGrass,     // float32: degrees counter-clockwise from east, towards the source; NaN elsewhere
  kEsri,      // uint8: 1 E, 2 SE, 3 S ... 8 NE towards the source; 0 source, 255 elsewhere
  kWhitebox,  // uint8: 1 NE, 2 E, 4 SE ... 128 N towards the source; 0 source, 255 elsewhere
};

// INVALID_VALUE for another name than talweg, skimage, grass, esri, whitebox.
absl::StatusOr<BackLinkCoding> ParseBackLinkCoding(std::string_view name);

// A coding as a table: what each of our codes becomes.
struct BackLinkTable {
  CellType type = CellType::kUint8;
  std::optional<double> nodata;        // the value that marks cells without a back-link
  std::array<float, 256> values = {};  // by our code
};
BackLinkTable MakeBackLinkTable(BackLinkCoding coding, Neighbourhood neighbourhood);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_BACK_LINK_CODING_H_
