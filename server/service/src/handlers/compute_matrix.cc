#include <string>
#include <utility>

#include "answer_pairs.h"
#include "pinned_request.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/query/matrix.h"
#include "talweg/service/converters/fields.h"
#include "talweg/service/converters/pairs.h"
#include "talweg/service/handlers.h"

namespace talweg::service {
namespace {

// Sends pairs in the order in which they finish.
class MatrixBlocks final : public PairConsumer {
 public:
  MatrixBlocks(Paths paths, StreamWriter<v1::ComputeMatrixResponse>& writer)
      : writer_(writer), block_(paths) {}

  absl::Status OnPair(const PairIndex& pair, PairAnswer answer) override {
    if (block_.size_bytes() + PairBlockBuilder::SizeBytes(answer) > kBlockBytes) {
      TALWEG_RETURN_IF_ERROR(Flush());
    }
    block_.Add(pair, std::move(answer));
    return absl::OkStatus();
  }

  absl::Status OnTick(const v1::Progress& progress) override {
    TALWEG_RETURN_IF_ERROR(Flush());
    v1::ComputeMatrixResponse response;
    *response.mutable_progress() = progress;
    return writer_.Write(std::move(response));
  }

  absl::Status Flush() {
    if (block_.empty()) return absl::OkStatus();
    v1::ComputeMatrixResponse response;
    *response.mutable_pairs() = block_.Take();
    return writer_.Write(std::move(response));
  }

 private:
  StreamWriter<v1::ComputeMatrixResponse>& writer_;
  PairBlockBuilder block_;
};

// A pair and its reverse have one value only when nothing is spent at either end.
absl::Status CheckSymmetric(const v1::ComputeMatrixRequest& request) {
  if (!request.symmetric()) return absl::OkStatus();
  if (request.has_destinations()) {
    return InvalidValue("symmetric", "true", "false when destinations are given");
  }
  for (int i = 0; i < request.sources().points_size(); ++i) {
    const double start_cost = request.sources().points(i).start_cost();
    if (start_cost != 0) {
      return InvalidValue(ElementField("sources.points", i, "start_cost"), start_cost,
                          "0 when symmetric is set");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSize(const v1::ComputeMatrixRequest& request, const ServiceLimits& limits) {
  const v1::PointList& destinations =
      request.has_destinations() ? request.destinations() : request.sources();
  return CheckPairProduct(static_cast<uint64_t>(request.sources().points_size()),
                          static_cast<uint64_t>(destinations.points_size()), "max_pairs",
                          limits.max_pairs);
}

PairPlan Plan(const v1::ComputeMatrixRequest& request, const Shape& shape,
              const ResolvedList& sources, const ResolvedList& destinations) {
  const Paths paths = request.include_paths() ? Paths::kInclude : Paths::kOmit;
  if (request.symmetric()) return PlanSymmetricMatrix(shape, sources.points, paths);
  return PlanMatrix(shape, sources.points, destinations.points, paths);
}

}  // namespace

absl::Status ComputeMatrix(CallContext& call, const v1::ComputeMatrixRequest& request,
                           StreamWriter<v1::ComputeMatrixResponse>& writer) {
  TALWEG_RETURN_IF_ERROR(
      CheckLength("request_id", request.request_id(), call.backend.limits.max_request_id_bytes));
  TALWEG_ASSIGN_OR_RETURN(PinnedRequest pinned, PinRequest(call, request.recipe()));
  if (!request.has_sources()) return MissingField("sources", "a list of at least one point");
  TALWEG_RETURN_IF_ERROR(CheckSize(request, call.backend.limits));
  TALWEG_RETURN_IF_ERROR(CheckSymmetric(request));
  TALWEG_ASSIGN_OR_RETURN(const ResolvedList sources,
                          ResolveList(call, pinned, request.sources(), "sources"));
  ResolvedList destinations = sources;
  if (request.has_destinations()) {
    TALWEG_ASSIGN_OR_RETURN(destinations,
                            ResolveList(call, pinned, request.destinations(), "destinations"));
  }
  AddSources(sources, pinned.header);
  AddDestinations(destinations, pinned.header);
  TALWEG_RETURN_IF_ERROR(WriteHeader(std::move(pinned.header), writer));

  const PairPlan plan = Plan(request, pinned.surface->description().shape, sources, destinations);
  MatrixBlocks blocks(request.include_paths() ? Paths::kInclude : Paths::kOmit, writer);
  TALWEG_ASSIGN_OR_RETURN(v1::AnswerSummary summary, AnswerPairs(call, pinned, plan, blocks));
  TALWEG_RETURN_IF_ERROR(blocks.Flush());
  v1::ComputeMatrixResponse response;
  *response.mutable_summary() = std::move(summary);
  return writer.Write(std::move(response));
}

}  // namespace talweg::service
