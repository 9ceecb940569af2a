#include "talweg/formats/back_link_coding.h"

#include <limits>

#include "talweg/base/errors.h"

namespace talweg::formats {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// By our code of the entering move: N, E, S, W, NE, SE, SW, NW. A move north
// has its source in the south, so the codings that point towards the source
// name the opposite direction.
using Moves = std::array<float, 8>;

// skimage.graph.MCP.offsets, row by row: for 8 neighbours NW N NE W E SW S SE,
// for 4 N W E S.
constexpr Moves kSkimage8 = {1, 4, 6, 3, 2, 7, 5, 0};
constexpr Moves kSkimage4 = {0, 2, 3, 1, -2, -2, -2, -2};
// r.cost outdir: 45 NE, 90 N ... 360 E.
constexpr Moves kGrass = {270, 180, 90, 360, 225, 135, 45, 315};
// Cost Back Link: 1 E, 2 SE, 3 S, 4 SW, 5 W, 6 NW, 7 N, 8 NE.
constexpr Moves kEsri = {3, 5, 7, 1, 4, 6, 8, 2};
// D8 pointer: 1 NE, 2 E, 4 SE, 8 S, 16 SW, 32 W, 64 NW, 128 N.
constexpr Moves kWhitebox = {8, 32, 128, 2, 16, 64, 1, 4};

BackLinkTable Table(const Moves& moves, float source, float elsewhere) {
  BackLinkTable table;
  table.values.fill(elsewhere);
  std::copy(moves.begin(), moves.end(), table.values.begin());
  table.values[kBackLinkSource] = source;
  return table;
}

}  // namespace

absl::StatusOr<BackLinkCoding> ParseBackLinkCoding(std::string_view name) {
  if (name == "talweg") return BackLinkCoding::kTalweg;
  if (name == "skimage") return BackLinkCoding::kSkimage;
  if (name == "grass") return BackLinkCoding::kGrass;
  if (name == "esri") return BackLinkCoding::kEsri;
  if (name == "whitebox") return BackLinkCoding::kWhitebox;
  return InvalidValue("--backlink-coding", name, "talweg, skimage, grass, esri or whitebox");
}

BackLinkTable MakeBackLinkTable(BackLinkCoding coding, Neighbourhood neighbourhood) {
  BackLinkTable table;
  switch (coding) {
    case BackLinkCoding::kTalweg:
      for (size_t code = 0; code < table.values.size(); ++code) {
        table.values[code] = static_cast<float>(code);
      }
      return table;
    case BackLinkCoding::kSkimage:
      table = Table(neighbourhood == Neighbourhood::kFour ? kSkimage4 : kSkimage8, -1, -2);
      table.type = CellType::kInt16;
      table.nodata = -2;
      return table;
    case BackLinkCoding::kGrass:
      table = Table(kGrass, kNaN, kNaN);
      table.type = CellType::kFloat32;
      table.nodata = kNaN;
      return table;
    case BackLinkCoding::kEsri:
      table = Table(kEsri, 0, 255);
      table.nodata = 255;
      return table;
    case BackLinkCoding::kWhitebox:
      table = Table(kWhitebox, 0, 255);
      table.nodata = 255;
      return table;
  }
  return table;
}

}  // namespace talweg::formats
