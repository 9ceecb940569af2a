// What is known of a cost surface beside its cells.
#ifndef TALWEG_COST_SURFACE_DESCRIPTION_H_
#define TALWEG_COST_SURFACE_DESCRIPTION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "talweg/cost/value_type.h"
#include "talweg/grid/geotransform.h"
#include "talweg/grid/shape.h"

namespace talweg {

// Numbers are part of the segment layout and of the wire format.
enum class CrsKind : uint8_t {
  kNone = 1,        // no CRS: lengths in cells
  kProjected = 2,   // linear units
  kGeographic = 3,  // degrees
  kLocal = 4,       // engineering coordinates, linear units
};

// Coordinate reference system. The client fills in what the server would
// otherwise need PROJ's data for.
struct Crs {
  CrsKind kind = CrsKind::kNone;
  std::string wkt;                // WKT 2 or WKT 1, as the client has it
  std::string name;               // e.g. "WGS 84 / UTM zone 32N", for messages
  double linear_unit_m = 1;       // metres per map unit
  double semi_major_axis_m = 0;   // 0: no ellipsoid known
  double inverse_flattening = 0;  // 0: a sphere
};

// What happens to negative frictions when a surface is stored.
enum class NegativePolicy : uint8_t {
  kBarrier = 1,  // impassable, counted, warned of
  kError = 2,    // the surface is refused
};

struct SurfaceDescription {
  Shape shape;
  ValueType value_type = ValueType::kFloat64;
  GeoTransform geotransform;
  Crs crs;
  std::vector<double> nodata;  // values that mean "no value" (NaN always does)
  NegativePolicy negative = NegativePolicy::kBarrier;
  std::map<std::string, std::string> labels;  // free-form, kept with the surface

  uint64_t size_bytes() const {
    return static_cast<uint64_t>(shape.cells()) * ValueSizeBytes(value_type);
  }
};

}  // namespace talweg

#endif  // TALWEG_COST_SURFACE_DESCRIPTION_H_
