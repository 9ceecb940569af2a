#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pinned_request.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/query/cost_field.h"
#include "talweg/service/converters/field.h"
#include "talweg/service/converters/fields.h"
#include "talweg/service/handlers.h"
#include "task_group.h"
#include "unreached_field.h"

namespace talweg::service {
namespace {

using Writer = StreamWriter<v1::ComputeCostFieldResponse>;

constexpr absl::Duration kTick = absl::Milliseconds(150);

// The search of a field request, and which of its destinations is which of
// the request's.
struct FieldPlan {
  SearchRequest search;
  std::vector<size_t> destination_numbers;
  std::vector<Outcome> destination_outcomes;  // decided by the points, else kOk
  double largest_start_cost = 0;
};

Outcome DecidedDestination(const ResolvedPoint& point, const ResolvedList& sources) {
  const auto any_source = [&](PointOutcome outcome) {
    return std::any_of(sources.points.begin(), sources.points.end(),
                       [&](const ResolvedPoint& source) { return source.outcome == outcome; });
  };
  if (!any_source(PointOutcome::kOk)) {
    return any_source(PointOutcome::kImpassable) ? Outcome::kSourceImpassable
                                                 : Outcome::kSourceOutside;
  }
  switch (point.outcome) {
    case PointOutcome::kOutside:
      return Outcome::kDestinationOutside;
    case PointOutcome::kImpassable:
      return Outcome::kDestinationImpassable;
    case PointOutcome::kOk:
      break;
  }
  return Outcome::kOk;
}

// Points that lie outside take no part; with no usable destination left the
// field is a full one.
FieldPlan PlanField(const Shape& shape, const ResolvedList& sources,
                    const ResolvedList& destinations) {
  FieldPlan plan;
  for (size_t i = 0; i < sources.points.size(); ++i) {
    const ResolvedPoint& point = sources.points[i];
    if (point.outcome != PointOutcome::kOk) continue;
    plan.search.sources.push_back({.cell = ToIndex(shape, point.cell),
                                   .start_cost = point.start_cost,
                                   .number = static_cast<int32_t>(i)});
    plan.largest_start_cost = std::max(plan.largest_start_cost, point.start_cost);
  }
  for (size_t i = 0; i < destinations.points.size(); ++i) {
    const ResolvedPoint& point = destinations.points[i];
    plan.destination_outcomes.push_back(DecidedDestination(point, sources));
    if (plan.destination_outcomes.back() != Outcome::kOk) continue;
    plan.search.destinations.push_back(ToIndex(shape, point.cell));
    plan.destination_numbers.push_back(i);
  }
  return plan;
}

absl::StatusOr<v1::FieldSummary> SummaryToProto(const PinnedRequest& pinned, const FieldPlan& plan,
                                                const CostFieldSummary& found) {
  if (found.destinations.size() != plan.destination_numbers.size()) {
    return ProtocolError("a field's summary has too few destinations");
  }
  v1::FieldSummary summary;
  summary.set_stop_cause(static_cast<v1::StopCause>(found.stop_cause));
  summary.set_reached_cells(found.reached_cells);
  summary.set_settled_cells(found.settled_cells);
  for (const Outcome outcome : plan.destination_outcomes) {
    summary.add_destination_outcomes(static_cast<v1::Outcome>(outcome));
    summary.add_destination_costs(std::numeric_limits<double>::quiet_NaN());
  }
  for (size_t i = 0; i < found.destinations.size(); ++i) {
    const int number = static_cast<int>(plan.destination_numbers[i]);
    summary.set_destination_outcomes(number,
                                     static_cast<v1::Outcome>(found.destinations[i].outcome));
    summary.set_destination_costs(number, found.destinations[i].cost);
  }
  if (!plan.destination_outcomes.empty() && plan.destination_numbers.empty()) {
    summary.add_warnings("no destination is usable: the field is a full one");
  }
  if (CostsMayOverflow(pinned, plan.largest_start_cost)) {
    summary.add_warnings(std::string(OverflowWarning()));
  }
  return summary;
}

// Sends a field of `total` cells block by block; `run` gives a run of cells.
template <class RunOfCells>
absl::Status SendBlocks(const CallContext& call, uint64_t total, uint64_t block_cells,
                        RunOfCells run, Writer& writer) {
  for (uint64_t first = 0; first < total; first += block_cells) {
    TALWEG_RETURN_IF_ERROR(call.CheckAlive());
    v1::ComputeCostFieldResponse response;
    *response.mutable_block() =
        FieldBlockToProto(first, run(first, std::min(block_cells, total - first)));
    TALWEG_RETURN_IF_ERROR(writer.Write(std::move(response)));
  }
  return absl::OkStatus();
}

// Runs the field on a worker, with progress.
absl::StatusOr<workers::FieldAnswer> RunField(CallContext& call, const PinnedRequest& pinned,
                                              const workers::FieldWork& work, Writer& writer) {
  TaskGroup group(call, 1, [&](size_t /*number*/) {
    workers::Task task;
    task.surface = pinned.surface;
    task.recipe = pinned.recipe.engine;
    task.work = work;
    return task;
  });
  for (;;) {
    TALWEG_ASSIGN_OR_RETURN(std::optional<TaskGroup::Finished> finished, group.Next(kTick));
    if (finished) return std::get<workers::FieldAnswer>(std::move(finished->answer));
    const TaskGroup::Work done = group.work();
    v1::ComputeCostFieldResponse response;
    response.mutable_progress()->set_settled_cells(done.settled_cells);
    response.mutable_progress()->set_frontier_cost(done.frontier_cost);
    TALWEG_RETURN_IF_ERROR(writer.Write(std::move(response)));
  }
}

absl::StatusOr<CostFieldSummary> SendFoundField(CallContext& call, const PinnedRequest& pinned,
                                                const v1::ComputeCostFieldRequest& request,
                                                const SearchRequest& search, Writer& writer) {
  TALWEG_ASSIGN_OR_RETURN(workers::FieldAnswer answer,
                          RunField(call, pinned,
                                   {.request = search,
                                    .include_back_links = request.include_back_links(),
                                    .include_allocation = request.include_allocation()},
                                   writer));
  const FieldCells cells{.costs = answer.field.costs(),
                         .back_links = answer.field.back_links(),
                         .allocation = answer.field.allocation()};
  TALWEG_RETURN_IF_ERROR(SendBlocks(
      call, cells.costs.size(), FieldBlockCells(cells),
      [&](uint64_t first, uint64_t count) { return cells.Run(first, count); }, writer));
  return std::move(answer.summary);
}

// No source is usable: there is nothing for a worker to do.
absl::StatusOr<CostFieldSummary> SendUnreachedField(const CallContext& call,
                                                    const PinnedRequest& pinned,
                                                    const v1::ComputeCostFieldRequest& request,
                                                    Writer& writer) {
  const CostSurfaceView surface = pinned.surface->view();
  UnreachedField field(surface, surface.WithOwnNodata(pinned.recipe.engine.friction));
  const auto run = [&](uint64_t first, uint64_t count) {
    FieldCells cells = field.Run(first, count);
    if (!request.include_back_links()) cells.back_links = {};
    if (!request.include_allocation()) cells.allocation = {};
    return cells;
  };
  TALWEG_RETURN_IF_ERROR(SendBlocks(call, static_cast<uint64_t>(surface.shape().cells()),
                                    FieldBlockCells(run(0, 1)), run, writer));
  return CostFieldSummary{};
}

}  // namespace

absl::Status ComputeCostField(CallContext& call, const v1::ComputeCostFieldRequest& request,
                              Writer& writer) {
  TALWEG_RETURN_IF_ERROR(
      CheckLength("request_id", request.request_id(), call.backend.limits.max_request_id_bytes));
  TALWEG_ASSIGN_OR_RETURN(PinnedRequest pinned, PinRequest(call, request.recipe()));
  if (!request.has_sources()) return MissingField("sources", "a list of at least one point");
  TALWEG_ASSIGN_OR_RETURN(const ResolvedList sources,
                          ResolveList(call, pinned, request.sources(), "sources"));
  AddSources(sources, pinned.header);
  ResolvedList destinations;
  if (request.has_destinations()) {
    TALWEG_ASSIGN_OR_RETURN(destinations,
                            ResolveList(call, pinned, request.destinations(), "destinations"));
    AddDestinations(destinations, pinned.header);
  }
  const FieldPlan plan = PlanField(pinned.surface->description().shape, sources, destinations);
  TALWEG_RETURN_IF_ERROR(WriteHeader(std::exchange(pinned.header, {}), writer));
  TALWEG_ASSIGN_OR_RETURN(const CostFieldSummary found,
                          plan.search.sources.empty()
                              ? SendUnreachedField(call, pinned, request, writer)
                              : SendFoundField(call, pinned, request, plan.search, writer));
  v1::ComputeCostFieldResponse response;
  TALWEG_ASSIGN_OR_RETURN(*response.mutable_summary(), SummaryToProto(pinned, plan, found));
  return writer.Write(std::move(response));
}

}  // namespace talweg::service
