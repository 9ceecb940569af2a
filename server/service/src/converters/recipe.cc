#include "talweg/service/converters/recipe.h"

#include <cmath>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/fields.h"

namespace talweg::service {
namespace {

StepModel StepModelFromProto(const v1::Recipe& proto, v1::Recipe& echo) {
  if (proto.step_model_case() == v1::Recipe::kEntry) {
    echo.mutable_entry();
    return StepModel::kEntry;
  }
  echo.mutable_mean();
  return StepModel::kMean;
}

absl::StatusOr<Neighbourhood> NeighbourhoodFromProto(const v1::Recipe& proto, v1::Recipe& echo) {
  switch (proto.neighbourhood()) {
    case v1::NEIGHBOURHOOD_4:
      echo.set_neighbourhood(v1::NEIGHBOURHOOD_4);
      return Neighbourhood::kFour;
    case v1::NEIGHBOURHOOD_UNSPECIFIED:
    case v1::NEIGHBOURHOOD_8:
      echo.set_neighbourhood(v1::NEIGHBOURHOOD_8);
      return Neighbourhood::kEight;
    default:
      return UnknownEnum("recipe.neighbourhood", proto.neighbourhood(),
                         "NEIGHBOURHOOD_4 or NEIGHBOURHOOD_8");
  }
}

absl::Status CornersFromProto(const v1::Recipe& proto, v1::Recipe& echo) {
  if (proto.corners() != v1::CORNERS_UNSPECIFIED && proto.corners() != v1::CORNERS_ALLOW) {
    return UnknownEnum("recipe.corners", proto.corners(), "CORNERS_ALLOW");
  }
  echo.set_corners(v1::CORNERS_ALLOW);
  return absl::OkStatus();
}

absl::Status DirectionFromProto(const v1::Recipe& proto, v1::Recipe& echo) {
  if (proto.direction() != v1::DIRECTION_UNSPECIFIED &&
      proto.direction() != v1::DIRECTION_FROM_SOURCES) {
    return UnknownEnum("recipe.direction", proto.direction(), "DIRECTION_FROM_SOURCES");
  }
  echo.set_direction(v1::DIRECTION_FROM_SOURCES);
  return absl::OkStatus();
}

// The unit of lengths, chosen by the surface's CRS when the request leaves it open.
absl::StatusOr<v1::LengthUnit> LengthUnitFromProto(const v1::Recipe& proto, const Crs& crs) {
  const auto geographic_units = [&] {
    return PrependField(GeographicUnits(crs.name.empty() ? "geographic" : crs.name), "recipe");
  };
  switch (proto.units()) {
    case v1::LENGTH_UNIT_CELLS:
      return v1::LENGTH_UNIT_CELLS;
    case v1::LENGTH_UNIT_MAP:
      if (proto.has_sampling()) {
        return InvalidValue("recipe.units", "LENGTH_UNIT_MAP",
                            "LENGTH_UNIT_CELLS (or unset) when a sampling is given");
      }
      if (crs.kind == CrsKind::kGeographic) return geographic_units();
      return v1::LENGTH_UNIT_MAP;
    case v1::LENGTH_UNIT_UNSPECIFIED:
      if (proto.has_sampling() || crs.kind == CrsKind::kNone) return v1::LENGTH_UNIT_CELLS;
      if (crs.kind == CrsKind::kGeographic) return geographic_units();
      return v1::LENGTH_UNIT_MAP;
    default:
      return UnknownEnum("recipe.units", proto.units(), "LENGTH_UNIT_CELLS or LENGTH_UNIT_MAP");
  }
}

absl::StatusOr<StepLengths> StepLengthsFromProto(const v1::Recipe& proto,
                                                 const SurfaceDescription& description,
                                                 v1::Recipe& echo) {
  TALWEG_ASSIGN_OR_RETURN(const v1::LengthUnit unit, LengthUnitFromProto(proto, description.crs));
  echo.set_units(unit);
  if (unit == v1::LENGTH_UNIT_MAP) return MapStepLengths(description.geotransform);
  if (!proto.has_sampling()) return RightAngledStepLengths(1, 1);
  const double dy = proto.sampling().dy();
  const double dx = proto.sampling().dx();
  TALWEG_RETURN_IF_ERROR(CheckFinitePositive("recipe.sampling.dy", dy));
  TALWEG_RETURN_IF_ERROR(CheckFinitePositive("recipe.sampling.dx", dx));
  const StepLengths lengths = RightAngledStepLengths(dy, dx);
  // The squares under the root leave float64 beyond these.
  if (!std::isfinite(lengths.diagonal_se) || !(lengths.diagonal_se > 0)) {
    return InvalidValue("recipe.sampling", FormatNumber(dy) + " x " + FormatNumber(dx),
                        "numbers from 1e-150 to 1e150");
  }
  *echo.mutable_sampling() = proto.sampling();
  return lengths;
}

absl::Status LimitsFromProto(const v1::Recipe& proto, EngineRecipe& engine, v1::Recipe& echo) {
  const v1::Limits& limits = proto.limits();
  if (limits.has_max_cost()) {
    if (std::isnan(limits.max_cost()) || limits.max_cost() < 0) {
      return InvalidValue("recipe.limits.max_cost", limits.max_cost(), "a number >= 0");
    }
    engine.max_cost = limits.max_cost();
  }
  if (limits.has_max_cells()) {
    if (limits.max_cells() == 0) {
      return InvalidValue("recipe.limits.max_cells", "0", "a whole number >= 1");
    }
    engine.max_cells = limits.max_cells();
  }
  if (proto.has_limits()) *echo.mutable_limits() = limits;
  return absl::OkStatus();
}

// A radius in metres is a circle on the ground, an ellipse in cells.
absl::StatusOr<SnapRadius> SnapInMetres(double radius_m, const SurfaceDescription& description) {
  const CrsKind kind = description.crs.kind;
  if (kind != CrsKind::kProjected && kind != CrsKind::kLocal) {
    return InvalidValue("recipe.snap.radius_m", radius_m,
                        "radius_cells for a surface whose CRS has no linear units");
  }
  const double unit_m = description.crs.linear_unit_m;
  return SnapRadius{.rows = radius_m / (description.geotransform.cell_height() * unit_m),
                    .cols = radius_m / (description.geotransform.cell_width() * unit_m)};
}

absl::StatusOr<SnapRadius> SnapFromProto(const v1::Recipe& proto,
                                         const SurfaceDescription& description,
                                         const ServiceLimits& limits, v1::Recipe& echo) {
  if (!proto.has_snap()) return SnapRadius{};
  SnapRadius radius;
  switch (proto.snap().radius_case()) {
    case v1::Snap::kRadiusCells: {
      const double cells = proto.snap().radius_cells();
      TALWEG_RETURN_IF_ERROR(CheckFiniteNonNegative("recipe.snap.radius_cells", cells));
      radius = {.rows = cells, .cols = cells};
      break;
    }
    case v1::Snap::kRadiusM: {
      const double metres = proto.snap().radius_m();
      TALWEG_RETURN_IF_ERROR(CheckFiniteNonNegative("recipe.snap.radius_m", metres));
      TALWEG_ASSIGN_OR_RETURN(radius, SnapInMetres(metres, description));
      break;
    }
    case v1::Snap::RADIUS_NOT_SET:
      return MissingField("recipe.snap.radius", "radius_cells or radius_m");
  }
  const double longest = std::max(radius.rows, radius.cols);
  if (!(longest <= static_cast<double>(limits.max_snap_radius_cells))) {
    return LimitExceeded("max_snap_radius_cells", FormatNumber(longest),
                         std::to_string(limits.max_snap_radius_cells));
  }
  *echo.mutable_snap() = proto.snap();
  return radius;
}

absl::Status FrictionRuleFromProto(const v1::Recipe& proto, const ServiceLimits& limits,
                                   FrictionRule& rule, v1::Recipe& echo) {
  TALWEG_RETURN_IF_ERROR(
      CheckLimit("max_values", static_cast<uint64_t>(proto.nodata_size()), limits.max_values));
  TALWEG_RETURN_IF_ERROR(CheckLimit(
      "max_values", static_cast<uint64_t>(proto.barrier_values_size()), limits.max_values));
  // NaN is always nodata: naming it is harmless. As a barrier it would be
  // compared and never match, so it is refused.
  for (int i = 0; i < proto.barrier_values_size(); ++i) {
    if (std::isnan(proto.barrier_values(i))) {
      return InvalidValue(ElementField("recipe.barrier_values", i, ""), proto.barrier_values(i),
                          "a number (NaN means no value)");
    }
  }
  if (proto.has_nodata_friction()) {
    TALWEG_RETURN_IF_ERROR(
        CheckFiniteNonNegative("recipe.nodata_friction", proto.nodata_friction()));
    rule.nodata_friction = proto.nodata_friction();
    echo.set_nodata_friction(proto.nodata_friction());
  }
  rule.nodata.assign(proto.nodata().begin(), proto.nodata().end());
  rule.barrier_values.assign(proto.barrier_values().begin(), proto.barrier_values().end());
  *echo.mutable_nodata() = proto.nodata();
  *echo.mutable_barrier_values() = proto.barrier_values();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> SurfaceNameFromProto(const v1::Recipe& proto) {
  constexpr std::string_view kOne = "exactly one surface, with role SURFACE_ROLE_FRICTION";
  if (proto.surfaces().empty()) return MissingField("recipe.surfaces", kOne);
  for (int i = 0; i < proto.surfaces_size(); ++i) {
    const v1::SurfaceRole role = proto.surfaces(i).role();
    if (role != v1::SURFACE_ROLE_UNSPECIFIED && role != v1::SURFACE_ROLE_FRICTION) {
      return UnknownEnum(ElementField("recipe.surfaces", i, "role"), role, "SURFACE_ROLE_FRICTION");
    }
  }
  if (proto.surfaces_size() > 1) {
    return InvalidValue("recipe.surfaces", std::to_string(proto.surfaces_size()) + " surfaces",
                        kOne);
  }
  const std::string& name = proto.surfaces(0).surface();
  if (name.empty()) {
    return MissingField("recipe.surfaces[0].surface",
                        "\"surfaces/{id}\" or \"surfaces/{id}@{revision}\"");
  }
  return name;
}

absl::StatusOr<ResolvedRecipe> RecipeFromProto(const v1::Recipe& proto,
                                               const SurfaceDescription& description,
                                               const std::string& pinned_name,
                                               const ServiceLimits& limits) {
  ResolvedRecipe resolved;
  EngineRecipe& engine = resolved.engine;
  v1::Recipe& echo = resolved.echo;
  v1::SurfaceUse& use = *echo.add_surfaces();
  use.set_role(v1::SURFACE_ROLE_FRICTION);
  use.set_surface(pinned_name);
  engine.step_model = StepModelFromProto(proto, echo);
  TALWEG_ASSIGN_OR_RETURN(engine.neighbourhood, NeighbourhoodFromProto(proto, echo));
  TALWEG_RETURN_IF_ERROR(CornersFromProto(proto, echo));
  TALWEG_RETURN_IF_ERROR(DirectionFromProto(proto, echo));
  TALWEG_ASSIGN_OR_RETURN(engine.lengths, StepLengthsFromProto(proto, description, echo));
  TALWEG_RETURN_IF_ERROR(LimitsFromProto(proto, engine, echo));
  TALWEG_RETURN_IF_ERROR(FrictionRuleFromProto(proto, limits, engine.friction, echo));
  TALWEG_ASSIGN_OR_RETURN(resolved.snap, SnapFromProto(proto, description, limits, echo));
  const absl::Status valid = ValidateEngineRecipe(engine);
  if (!valid.ok()) return PrependField(valid, "recipe");
  return resolved;
}

}  // namespace talweg::service
