// Between the types of core and the messages of talweg.worker.v1. Pure
// functions; both sides take nothing on trust.
#ifndef TALWEG_WORKERS_TASK_CODEC_H_
#define TALWEG_WORKERS_TASK_CODEC_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "talweg/grid/shape.h"
#include "talweg/search/engine_recipe.h"
#include "talweg/worker/v1/worker.pb.h"
#include "talweg/workers/field_segment.h"
#include "talweg/workers/task.h"

namespace talweg::workers {

// Server side -----------------------------------------------------------------

worker::v1::EngineRecipe RecipeToProto(const EngineRecipe& recipe);

// Fills the task of `dispatch`.
void WorkToProto(const TaskWork& work, worker::v1::Dispatch& dispatch);

// PROTOCOL_ERROR unless the result answers exactly what was asked.
absl::StatusOr<PathsAnswer> PathsAnswerFromProto(const worker::v1::PathsResult& result,
                                                 const PathsWork& asked, const Shape& shape);
absl::StatusOr<CostFieldSummary> FieldSummaryFromProto(const worker::v1::FieldResult& result,
                                                       const FieldWork& asked,
                                                       const FieldLayout& layout);

// Never OK: a code that is none of an error becomes INTERNAL.
absl::Status StatusFromProto(const worker::v1::TaskError& error);

// Worker side -----------------------------------------------------------------

// TASK_UNDECODABLE for an unknown enum or a recipe that is not valid.
absl::StatusOr<EngineRecipe> RecipeFromProto(const worker::v1::EngineRecipe& recipe);

// TASK_UNDECODABLE for lists that do not fit together, numbers out of range and
// cells outside of `shape`.
absl::StatusOr<TaskWork> WorkFromProto(const worker::v1::Dispatch& dispatch, const Shape& shape);

worker::v1::PathsResult PathsAnswerToProto(const PathsAnswer& answer, const PathsWork& asked);
worker::v1::FieldResult FieldResultToProto(const CostFieldSummary& summary,
                                           const FieldLayout& layout);
worker::v1::TaskError StatusToProto(const absl::Status& status);

// The layout both sides agree on for this work.
FieldLayout LayoutOf(const FieldWork& work, const Shape& shape);

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_TASK_CODEC_H_
