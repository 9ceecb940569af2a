#include "pinned_request.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/base/version.h"
#include "talweg/cost/surface_statistics.h"
#include "talweg/service/converters/points.h"

namespace talweg::service {
namespace {

// Snapping looks at every cell within the radius in the worst case, so the
// product of points and cells is limited.
absl::Status CheckSnapWork(uint64_t points, const SnapRadius& snap, const ServiceLimits& limits) {
  if (snap.rows <= 0 && snap.cols <= 0) return absl::OkStatus();
  const double cells = static_cast<double>(points) * (2 * snap.rows + 1) * (2 * snap.cols + 1);
  if (cells <= static_cast<double>(limits.max_snap_cells)) return absl::OkStatus();
  return LimitExceeded("max_snap_cells", FormatNumber(cells),
                       std::to_string(limits.max_snap_cells));
}

bool NoneIsUsable(const ResolvedList& list) {
  return std::none_of(list.points.begin(), list.points.end(), [](const ResolvedPoint& point) {
    return point.outcome == PointOutcome::kOk;
  });
}

std::string NoneUsableWarning(size_t count, std::string_view what) {
  return "none of the " + std::to_string(count) + " " + std::string(what) +
         " lies on a passable cell of the surface";
}

}  // namespace

absl::StatusOr<PinnedRequest> PinRequest(const CallContext& call, const v1::Recipe& recipe) {
  TALWEG_ASSIGN_OR_RETURN(const std::string name, SurfaceNameFromProto(recipe));
  auto surface = call.backend.store.Open(name);
  if (!surface.ok()) return PrependField(surface.status(), "recipe.surfaces[0]");
  PinnedRequest request;
  request.surface = *std::move(surface);
  const std::string pinned_name = request.surface->name() + "@" + request.surface->revision();
  TALWEG_ASSIGN_OR_RETURN(request.recipe, RecipeFromProto(recipe, request.surface->description(),
                                                          pinned_name, call.backend.limits));
  v1::AnswerHeader& header = request.header;
  *header.mutable_recipe() = request.recipe.echo;
  header.set_surface(request.surface->name());
  header.set_revision(request.surface->revision());
  for (std::string& warning : SurfaceWarnings(request.surface->statistics())) {
    header.add_warnings(std::move(warning));
  }
  header.set_server_version(std::string(Version()));
  header.set_max_elongation_percent(MaxElongationPercent(request.recipe.engine.neighbourhood));
  return request;
}

absl::StatusOr<ResolvedList> ResolveList(const CallContext& call, const PinnedRequest& request,
                                         const v1::PointList& list, std::string_view field) {
  TALWEG_ASSIGN_OR_RETURN(const std::vector<PointPosition> positions,
                          PointsFromProto(list, field, call.backend.limits));
  TALWEG_RETURN_IF_ERROR(CheckSnapWork(positions.size(), request.recipe.snap, call.backend.limits));
  const CostSurfaceView surface = request.surface->view();
  const FrictionRule rule = surface.WithOwnNodata(request.recipe.engine.friction);
  ResolvedList resolved;
  resolved.points.reserve(positions.size());
  // In slices, so that a call that ends does not snap on.
  constexpr size_t kSlice = 256;
  for (size_t first = 0; first < positions.size(); first += kSlice) {
    TALWEG_RETURN_IF_ERROR(call.CheckAlive());
    const auto begin = positions.begin() + static_cast<ptrdiff_t>(first);
    const auto end = begin + static_cast<ptrdiff_t>(std::min(kSlice, positions.size() - first));
    const std::vector<ResolvedPoint> points =
        ResolvePoints(surface, rule, {begin, end}, request.recipe.snap);
    resolved.points.insert(resolved.points.end(), points.begin(), points.end());
  }
  const GeoTransform& geotransform = request.surface->description().geotransform;
  resolved.reports.reserve(positions.size());
  for (int i = 0; i < list.points_size(); ++i) {
    resolved.reports.push_back(
        PointReportToProto(list.points(i), resolved.points[static_cast<size_t>(i)], geotransform));
  }
  return resolved;
}

void AddSources(const ResolvedList& list, v1::AnswerHeader& header) {
  header.mutable_sources()->Add(list.reports.begin(), list.reports.end());
  if (NoneIsUsable(list)) header.add_warnings(NoneUsableWarning(list.points.size(), "sources"));
}

void AddDestinations(const ResolvedList& list, v1::AnswerHeader& header) {
  header.mutable_destinations()->Add(list.reports.begin(), list.reports.end());
  if (NoneIsUsable(list)) {
    header.add_warnings(NoneUsableWarning(list.points.size(), "destinations"));
  }
}

bool CostsMayOverflow(const PinnedRequest& request, double largest_start_cost) {
  const EngineRecipe& engine = request.recipe.engine;
  const StepLengths& lengths = engine.lengths;
  const double longest = std::max(
      {1.0, lengths.along_cols, lengths.along_rows, lengths.diagonal_se, lengths.diagonal_ne});
  const double dearest = std::max(request.surface->statistics().largest_friction,
                                  engine.friction.nodata_friction.value_or(0));
  const auto cells = static_cast<double>(request.surface->description().shape.cells());
  // A path has at most as many steps as the surface has cells; a step adds
  // two frictions before it halves.
  return std::isinf(2 * dearest * longest * cells + largest_start_cost);
}

std::string_view OverflowWarning() {
  return "costs on this surface can exceed the largest float64; cells beyond it are reported as "
         "unreachable";
}

std::vector<v1::AnswerHeader> SplitHeader(v1::AnswerHeader header) {
  google::protobuf::RepeatedPtrField<v1::PointReport> sources;
  google::protobuf::RepeatedPtrField<v1::PointReport> destinations;
  sources.Swap(header.mutable_sources());
  destinations.Swap(header.mutable_destinations());
  std::vector<v1::AnswerHeader> parts;
  parts.push_back(std::move(header));
  size_t bytes = parts.back().ByteSizeLong();
  const auto make_room = [&](const v1::PointReport& report) -> v1::AnswerHeader& {
    constexpr size_t kFrameBytes = 8;
    const size_t added = report.ByteSizeLong() + kFrameBytes;
    if (bytes + added > kBlockBytes) {
      parts.back().set_more(true);
      parts.emplace_back();
      bytes = 0;
    }
    bytes += added;
    return parts.back();
  };
  for (v1::PointReport& report : sources) *make_room(report).add_sources() = std::move(report);
  for (v1::PointReport& report : destinations) {
    *make_room(report).add_destinations() = std::move(report);
  }
  return parts;
}

}  // namespace talweg::service
