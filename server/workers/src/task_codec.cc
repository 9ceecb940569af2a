#include "talweg/workers/task_codec.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"

namespace talweg::workers {
namespace {

bool IsOutcome(int number) {
  return number >= static_cast<int>(Outcome::kOk) &&
         number <= static_cast<int>(Outcome::kDestinationImpassable);
}

bool IsOnSurface(uint64_t cell, const Shape& shape) {
  return cell < static_cast<uint64_t>(shape.cells());
}

FieldPart PartOf(bool included) { return included ? FieldPart::kPresent : FieldPart::kAbsent; }

absl::StatusOr<CellIndex> CellFromProto(uint64_t cell, const Shape& shape) {
  if (!IsOnSurface(cell, shape)) {
    return TaskUndecodable("cell " + std::to_string(cell) + " lies outside of the surface");
  }
  return static_cast<CellIndex>(cell);
}

absl::StatusOr<double> StartCostFromProto(double start_cost) {
  if (!std::isfinite(start_cost) || start_cost < 0) {
    return TaskUndecodable("start cost " + FormatNumber(start_cost) + " is not valid");
  }
  return start_cost;
}

absl::StatusOr<std::vector<CellIndex>> CellsFromProto(
    const google::protobuf::RepeatedField<uint64_t>& cells, const Shape& shape) {
  std::vector<CellIndex> indices;
  indices.reserve(static_cast<size_t>(cells.size()));
  for (const uint64_t cell : cells) {
    TALWEG_ASSIGN_OR_RETURN(const CellIndex index, CellFromProto(cell, shape));
    indices.push_back(index);
  }
  return indices;
}

absl::StatusOr<PathsWork> PathsWorkFromProto(const worker::v1::PathsTask& task,
                                             const Shape& shape) {
  PathsWork work;
  work.items.reserve(static_cast<size_t>(task.items_size()));
  for (const worker::v1::SearchItem& item : task.items()) {
    OneToManyRequest request;
    TALWEG_ASSIGN_OR_RETURN(request.source.cell, CellFromProto(item.source_cell(), shape));
    TALWEG_ASSIGN_OR_RETURN(request.source.start_cost, StartCostFromProto(item.start_cost()));
    TALWEG_ASSIGN_OR_RETURN(request.destinations, CellsFromProto(item.destination_cells(), shape));
    if (request.destinations.empty()) return TaskUndecodable("a search has no destination");
    request.paths = task.include_paths() ? Paths::kInclude : Paths::kOmit;
    work.items.push_back(std::move(request));
  }
  return work;
}

absl::StatusOr<FieldWork> FieldWorkFromProto(const worker::v1::FieldTask& task,
                                             const Shape& shape) {
  if (task.source_cells_size() == 0 || task.start_costs_size() != task.source_cells_size() ||
      task.source_numbers_size() != task.source_cells_size()) {
    return TaskUndecodable("the lists of sources are empty or of unequal length");
  }
  FieldWork work;
  for (int i = 0; i < task.source_cells_size(); ++i) {
    Source source;
    TALWEG_ASSIGN_OR_RETURN(source.cell, CellFromProto(task.source_cells(i), shape));
    TALWEG_ASSIGN_OR_RETURN(source.start_cost, StartCostFromProto(task.start_costs(i)));
    source.number = task.source_numbers(i);
    work.request.sources.push_back(source);
  }
  TALWEG_ASSIGN_OR_RETURN(work.request.destinations,
                          CellsFromProto(task.destination_cells(), shape));
  work.include_back_links = task.include_back_links();
  work.include_allocation = task.include_allocation();
  return work;
}

worker::v1::PathsTask PathsWorkToProto(const PathsWork& work) {
  worker::v1::PathsTask task;
  for (const OneToManyRequest& request : work.items) {
    worker::v1::SearchItem& item = *task.add_items();
    item.set_source_cell(static_cast<uint64_t>(request.source.cell));
    item.set_start_cost(request.source.start_cost);
    item.mutable_destination_cells()->Add(request.destinations.begin(), request.destinations.end());
    // One flag for the batch; answers of items that asked for none are cut
    // when they come back.
    if (request.paths == Paths::kInclude) task.set_include_paths(true);
  }
  return task;
}

worker::v1::FieldTask FieldWorkToProto(const FieldWork& work) {
  worker::v1::FieldTask task;
  for (const Source& source : work.request.sources) {
    task.add_source_cells(static_cast<uint64_t>(source.cell));
    task.add_start_costs(source.start_cost);
    task.add_source_numbers(source.number);
  }
  task.mutable_destination_cells()->Add(work.request.destinations.begin(),
                                        work.request.destinations.end());
  task.set_include_back_links(work.include_back_links);
  task.set_include_allocation(work.include_allocation);
  return task;
}

// A path that stays within what its reader can index; PathCells checks every
// cell of it.
absl::StatusOr<Path> PathFromProto(const v1::EncodedPath& encoded, const Shape& shape) {
  if (!IsOnSurface(encoded.start_cell(), shape) ||
      std::ranges::any_of(encoded.steps(), [](char code) {
        return static_cast<unsigned char>(code) >= kSteps.size();
      })) {
    return ProtocolError("a path has a cell or a move that does not exist");
  }
  return Path{.start = static_cast<CellIndex>(encoded.start_cell()), .steps = encoded.steps()};
}

absl::StatusOr<OneToManyAnswer> ItemFromProto(const worker::v1::ItemResult& result,
                                              const OneToManyRequest& asked, const Shape& shape) {
  const auto pairs = static_cast<int>(asked.destinations.size());
  const bool with_paths = asked.paths == Paths::kInclude;
  if (result.cost_size() != pairs || result.length_size() != pairs ||
      result.outcome_size() != pairs || (with_paths && result.path_size() != pairs)) {
    return ProtocolError("a search answers another number of destinations than asked");
  }
  OneToManyAnswer answer;
  answer.settled_cells = result.settled_cells();
  answer.pairs.reserve(asked.destinations.size());
  for (int i = 0; i < pairs; ++i) {
    if (!IsOutcome(result.outcome(i))) return ProtocolError("an outcome is unknown");
    PairAnswer pair{.outcome = static_cast<Outcome>(result.outcome(i)),
                    .cost = result.cost(i),
                    .length = result.length(i),
                    .path = {}};
    if (with_paths && pair.outcome == Outcome::kOk) {
      TALWEG_ASSIGN_OR_RETURN(pair.path, PathFromProto(result.path(i), shape));
    }
    answer.pairs.push_back(std::move(pair));
  }
  return answer;
}

}  // namespace

worker::v1::EngineRecipe RecipeToProto(const EngineRecipe& recipe) {
  worker::v1::EngineRecipe message;
  message.set_step_model(
      static_cast<worker::v1::EngineRecipe::StepModel>(static_cast<int>(recipe.step_model)));
  message.set_neighbourhood(static_cast<uint32_t>(StepCount(recipe.neighbourhood)));
  message.set_along_cols(recipe.lengths.along_cols);
  message.set_along_rows(recipe.lengths.along_rows);
  message.set_diagonal_se(recipe.lengths.diagonal_se);
  message.set_diagonal_ne(recipe.lengths.diagonal_ne);
  message.mutable_nodata()->Add(recipe.friction.nodata.begin(), recipe.friction.nodata.end());
  message.mutable_barrier_values()->Add(recipe.friction.barrier_values.begin(),
                                        recipe.friction.barrier_values.end());
  if (recipe.friction.nodata_friction) {
    message.set_nodata_friction(*recipe.friction.nodata_friction);
  }
  message.set_max_cost(recipe.max_cost);
  message.set_max_cells(recipe.max_cells);
  return message;
}

absl::StatusOr<EngineRecipe> RecipeFromProto(const worker::v1::EngineRecipe& message) {
  EngineRecipe recipe;
  switch (message.step_model()) {
    case worker::v1::EngineRecipe::STEP_MODEL_MEAN:
      recipe.step_model = StepModel::kMean;
      break;
    case worker::v1::EngineRecipe::STEP_MODEL_ENTRY:
      recipe.step_model = StepModel::kEntry;
      break;
    default:
      return TaskUndecodable("the step model is unknown");
  }
  switch (message.neighbourhood()) {
    case 4:
      recipe.neighbourhood = Neighbourhood::kFour;
      break;
    case 8:
      recipe.neighbourhood = Neighbourhood::kEight;
      break;
    default:
      return TaskUndecodable("neighbourhood " + std::to_string(message.neighbourhood()) +
                             " is unknown");
  }
  recipe.lengths = {.along_cols = message.along_cols(),
                    .along_rows = message.along_rows(),
                    .diagonal_se = message.diagonal_se(),
                    .diagonal_ne = message.diagonal_ne()};
  recipe.friction.nodata.assign(message.nodata().begin(), message.nodata().end());
  recipe.friction.barrier_values.assign(message.barrier_values().begin(),
                                        message.barrier_values().end());
  if (message.has_nodata_friction()) recipe.friction.nodata_friction = message.nodata_friction();
  recipe.max_cost = message.max_cost();
  recipe.max_cells = message.max_cells();
  if (const absl::Status valid = ValidateEngineRecipe(recipe); !valid.ok()) {
    return TaskUndecodable(std::string(valid.message()));
  }
  return recipe;
}

void WorkToProto(const TaskWork& work, worker::v1::Dispatch& dispatch) {
  if (const auto* paths = std::get_if<PathsWork>(&work)) {
    *dispatch.mutable_paths() = PathsWorkToProto(*paths);
  } else {
    *dispatch.mutable_field() = FieldWorkToProto(std::get<FieldWork>(work));
  }
}

absl::StatusOr<TaskWork> WorkFromProto(const worker::v1::Dispatch& dispatch, const Shape& shape) {
  switch (dispatch.task_case()) {
    case worker::v1::Dispatch::kPaths:
      return PathsWorkFromProto(dispatch.paths(), shape);
    case worker::v1::Dispatch::kField:
      return FieldWorkFromProto(dispatch.field(), shape);
    case worker::v1::Dispatch::TASK_NOT_SET:
      break;
  }
  return TaskUndecodable("it asks for nothing that is known");
}

absl::StatusOr<PathsAnswer> PathsAnswerFromProto(const worker::v1::PathsResult& result,
                                                 const PathsWork& asked, const Shape& shape) {
  if (static_cast<size_t>(result.items_size()) != asked.items.size()) {
    return ProtocolError("a batch answers another number of searches than asked");
  }
  PathsAnswer answer;
  answer.items.reserve(asked.items.size());
  for (size_t i = 0; i < asked.items.size(); ++i) {
    TALWEG_ASSIGN_OR_RETURN(OneToManyAnswer item, ItemFromProto(result.items(static_cast<int>(i)),
                                                                asked.items[i], shape));
    answer.items.push_back(std::move(item));
  }
  return answer;
}

worker::v1::PathsResult PathsAnswerToProto(const PathsAnswer& answer, const PathsWork& asked) {
  worker::v1::PathsResult result;
  for (size_t i = 0; i < answer.items.size(); ++i) {
    worker::v1::ItemResult& item = *result.add_items();
    item.set_settled_cells(answer.items[i].settled_cells);
    for (const PairAnswer& pair : answer.items[i].pairs) {
      item.add_cost(pair.cost);
      item.add_length(pair.length);
      item.add_outcome(static_cast<v1::Outcome>(static_cast<int>(pair.outcome)));
      if (asked.items[i].paths == Paths::kInclude) {
        v1::EncodedPath& path = *item.add_path();
        path.set_start_cell(static_cast<uint64_t>(pair.path.start));
        path.set_steps(pair.path.steps);
      }
    }
  }
  return result;
}

FieldLayout LayoutOf(const FieldWork& work, const Shape& shape) {
  return PlanFieldLayout(shape, PartOf(work.include_back_links), PartOf(work.include_allocation));
}

worker::v1::FieldResult FieldResultToProto(const CostFieldSummary& summary,
                                           const FieldLayout& layout) {
  worker::v1::FieldResult result;
  result.set_rows(static_cast<uint64_t>(layout.shape.rows));
  result.set_cols(static_cast<uint64_t>(layout.shape.cols));
  result.set_costs_offset(layout.costs_offset_bytes);
  result.set_back_links_offset(layout.back_links_offset_bytes);
  result.set_allocation_offset(layout.allocation_offset_bytes);
  result.set_size_bytes(layout.size_bytes);
  v1::FieldSummary& message = *result.mutable_summary();
  message.set_stop_cause(static_cast<v1::StopCause>(static_cast<int>(summary.stop_cause)));
  message.set_reached_cells(summary.reached_cells);
  message.set_settled_cells(summary.settled_cells);
  for (const PairAnswer& destination : summary.destinations) {
    message.add_destination_outcomes(
        static_cast<v1::Outcome>(static_cast<int>(destination.outcome)));
    message.add_destination_costs(destination.cost);
  }
  return result;
}

absl::StatusOr<CostFieldSummary> FieldSummaryFromProto(const worker::v1::FieldResult& result,
                                                       const FieldWork& asked,
                                                       const FieldLayout& layout) {
  if (result.rows() != static_cast<uint64_t>(layout.shape.rows) ||
      result.cols() != static_cast<uint64_t>(layout.shape.cols) ||
      result.costs_offset() != layout.costs_offset_bytes ||
      result.back_links_offset() != layout.back_links_offset_bytes ||
      result.allocation_offset() != layout.allocation_offset_bytes ||
      result.size_bytes() != layout.size_bytes) {
    return ProtocolError("a field has another layout than asked");
  }
  const v1::FieldSummary& message = result.summary();
  const auto destinations = static_cast<int>(asked.request.destinations.size());
  if (message.destination_outcomes_size() != destinations ||
      message.destination_costs_size() != destinations) {
    return ProtocolError("a field answers another number of destinations than asked");
  }
  const int stop_cause = message.stop_cause();
  if (stop_cause < static_cast<int>(StopCause::kComplete) ||
      stop_cause > static_cast<int>(StopCause::kMaxCost)) {
    return ProtocolError("a stop cause is unknown");
  }
  CostFieldSummary summary;
  summary.stop_cause = static_cast<StopCause>(stop_cause);
  summary.reached_cells = message.reached_cells();
  summary.settled_cells = message.settled_cells();
  for (int i = 0; i < destinations; ++i) {
    if (!IsOutcome(message.destination_outcomes(i))) {
      return ProtocolError("an outcome is unknown");
    }
    summary.destinations.push_back(
        PairAnswer{.outcome = static_cast<Outcome>(message.destination_outcomes(i)),
                   .cost = message.destination_costs(i),
                   .length = std::nan(""),
                   .path = {}});
  }
  return summary;
}

worker::v1::TaskError StatusToProto(const absl::Status& status) {
  const ErrorDetail detail = GetErrorDetail(status);
  worker::v1::TaskError error;
  error.set_code(static_cast<int32_t>(status.code()));
  error.set_message(std::string(status.message()));
  error.set_reason(detail.reason);
  error.set_field(detail.field);
  error.set_value(detail.value);
  error.set_valid_range(detail.valid_range);
  return error;
}

absl::Status StatusFromProto(const worker::v1::TaskError& error) {
  absl::StatusCode code = absl::StatusCode::kInternal;
  if (error.code() > static_cast<int>(absl::StatusCode::kOk) &&
      error.code() <= static_cast<int>(absl::StatusCode::kUnauthenticated)) {
    code = static_cast<absl::StatusCode>(error.code());
  }
  return MakeError(code, error.message(),
                   {.reason = error.reason(),
                    .field = error.field(),
                    .value = error.value(),
                    .valid_range = error.valid_range(),
                    .retry_delay = std::nullopt});
}

}  // namespace talweg::workers
