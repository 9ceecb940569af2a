#include "task_runner.h"

#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/query/cost_field.h"
#include "talweg/query/one_to_many.h"
#include "talweg/store/segment.h"
#include "talweg/workers/task_codec.h"

namespace talweg::workers {
namespace {

// Paths up to this size travel in the message, longer ones in shared memory.
constexpr size_t kMaxInlineBytes = size_t{1} << 20;
// protobuf counts in int.
constexpr auto kMaxResultBytes = static_cast<size_t>(std::numeric_limits<int>::max());

absl::Status PackPaths(const worker::v1::PathsResult& result, TaskReply& packed) {
  const size_t size = result.ByteSizeLong();
  if (size <= kMaxInlineBytes) {
    *packed.reply.mutable_paths() = result;
    return absl::OkStatus();
  }
  if (size > kMaxResultBytes) {
    return LimitExceeded("result bytes", std::to_string(size), std::to_string(kMaxResultBytes));
  }
  TALWEG_ASSIGN_OR_RETURN(store::WritableSegment segment, store::WritableSegment::Create(size));
  if (!result.SerializeToArray(segment.bytes().data(), static_cast<int>(size))) {
    return EngineFailed("its result could not be encoded");
  }
  TALWEG_ASSIGN_OR_RETURN(packed.attachment, std::move(segment).Seal());
  packed.reply.set_paths_in_memfd_bytes(size);
  return absl::OkStatus();
}

absl::Status RunPaths(const PathsWork& work, const EngineRecipe& recipe, RunningTask& task,
                      SearchWorkspace& workspace, TaskReply& packed) {
  PathsAnswer answer;
  uint64_t settled_cells = 0;
  for (size_t i = 0; i < work.items.size(); ++i) {
    task.item.store(static_cast<uint32_t>(i), std::memory_order_relaxed);
    TALWEG_ASSIGN_OR_RETURN(
        OneToManyAnswer item,
        RunOneToMany(task.surface->view(), recipe, work.items[i], workspace, task.control));
    settled_cells += item.settled_cells;
    answer.items.push_back(std::move(item));
  }
  packed.reply.set_settled_cells(settled_cells);
  return PackPaths(PathsAnswerToProto(answer, work), packed);
}

template <class T>
RasterView<T> PartAt(store::WritableSegment& segment, uint64_t offset_bytes, const Shape& shape) {
  return {reinterpret_cast<T*>(segment.bytes().data() + offset_bytes), shape};
}

// The field is written where it will be read: no copy of it ever exists.
absl::Status RunField(const FieldWork& work, const EngineRecipe& recipe, RunningTask& task,
                      SearchWorkspace& workspace, TaskReply& packed) {
  const Shape shape = task.surface->description().shape;
  const FieldLayout layout = LayoutOf(work, shape);
  TALWEG_ASSIGN_OR_RETURN(store::WritableSegment segment,
                          store::WritableSegment::Create(layout.size_bytes));
  FieldOutputs outputs;
  outputs.costs = PartAt<double>(segment, layout.costs_offset_bytes, shape);
  if (work.include_back_links) {
    outputs.back_links = PartAt<StepCode>(segment, layout.back_links_offset_bytes, shape);
  }
  if (work.include_allocation) {
    outputs.allocation = PartAt<int32_t>(segment, layout.allocation_offset_bytes, shape);
  }
  TALWEG_ASSIGN_OR_RETURN(
      const CostFieldSummary summary,
      RunCostField(task.surface->view(), recipe, work.request, outputs, workspace, task.control));
  TALWEG_ASSIGN_OR_RETURN(packed.attachment, std::move(segment).Seal());
  packed.reply.set_settled_cells(summary.settled_cells);
  *packed.reply.mutable_field() = FieldResultToProto(summary, layout);
  return absl::OkStatus();
}

absl::Status Run(RunningTask& task, SearchWorkspace& workspace, TaskReply& packed) {
  TALWEG_ASSIGN_OR_RETURN(const EngineRecipe recipe, RecipeFromProto(task.dispatch.recipe()));
  TALWEG_ASSIGN_OR_RETURN(const TaskWork work,
                          WorkFromProto(task.dispatch, task.surface->description().shape));
  if (const auto* paths = std::get_if<PathsWork>(&work)) {
    return RunPaths(*paths, recipe, task, workspace, packed);
  }
  return RunField(std::get<FieldWork>(work), recipe, task, workspace, packed);
}

absl::Status RunGuarded(RunningTask& task, SearchWorkspace& workspace, TaskReply& packed) {
  // The project's own code throws nothing; the standard library and xtensor
  // do, and one task's failure must not end the worker.
  try {
    return Run(task, workspace, packed);
  } catch (const std::bad_alloc&) {
    return OutOfMemory("the search state of a task");
  } catch (const std::exception& failure) {
    return EngineFailed(failure.what());
  }
}

}  // namespace

TaskReply RunTask(RunningTask& task, SearchWorkspace& workspace) {
  TaskReply packed;
  if (const absl::Status status = RunGuarded(task, workspace, packed); !status.ok()) {
    packed = TaskReply();
    *packed.reply.mutable_error() = StatusToProto(status);
    packed.reply.set_settled_cells(task.control.progress().settled_cells);
  }
  packed.reply.set_task_id(task.dispatch.task_id());
  return packed;
}

}  // namespace talweg::workers
