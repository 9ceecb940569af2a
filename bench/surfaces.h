// The named benchmark surfaces.
#ifndef TALWEG_BENCH_SURFACES_H_
#define TALWEG_BENCH_SURFACES_H_

#include <array>
#include <string_view>

#include "talweg/cost/cost_surface.h"

namespace talweg::bench {

// rand   uniform [0, 1)
// real   multi-octave noise, 1 to 100, about 10 % nodata in blobs
// heavy  log-uniform, 1 to 1e6
// zero   uniform [0, 1), half of the cells exactly 0
// tiny   log-uniform, 1e-12 to 1
// uni    all 1
// uobs   1, about 10 % impassable in blobs
// u8     integers 1 to 255, stored as uint8
inline constexpr std::array<std::string_view, 8> kSurfaceNames = {"rand", "real", "heavy", "zero",
                                                                  "tiny", "uni",  "uobs",  "u8"};

// size x size cells; the same arguments give the same surface.
CostSurface MakeSurface(std::string_view name, int64_t size);

}  // namespace talweg::bench

#endif  // TALWEG_BENCH_SURFACES_H_
