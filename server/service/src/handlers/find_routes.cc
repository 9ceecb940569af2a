#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "answer_pairs.h"
#include "pinned_request.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/query/route.h"
#include "talweg/service/converters/fields.h"
#include "talweg/service/converters/pairs.h"
#include "talweg/service/handlers.h"

namespace talweg::service {
namespace {

uint64_t PairKey(const PairIndex& pair) { return uint64_t{pair.source} << 32 | pair.destination; }

// Where each pair stands in the request; a pair may stand there more than once.
class PairPositions {
 public:
  explicit PairPositions(const std::vector<PairIndex>& pairs) : taken_(pairs.size(), 0) {
    entries_.reserve(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      entries_.push_back({PairKey(pairs[i]), static_cast<uint32_t>(i)});
    }
    std::sort(entries_.begin(), entries_.end());
  }

  // The first position of the pair that was not taken yet.
  std::optional<size_t> Take(const PairIndex& pair) {
    const size_t group = GroupOf(pair);
    const size_t entry = group + (group < entries_.size() ? taken_[group] : 0);
    if (entry >= entries_.size() || entries_[entry].first != PairKey(pair)) return std::nullopt;
    ++taken_[group];
    return entries_[entry].second;
  }

  // The first position of a pair of the request.
  size_t First(const PairIndex& pair) const { return entries_[GroupOf(pair)].second; }

 private:
  size_t GroupOf(const PairIndex& pair) const {
    const auto first = std::lower_bound(entries_.begin(), entries_.end(),
                                        std::pair<uint64_t, uint32_t>{PairKey(pair), 0});
    return static_cast<size_t>(first - entries_.begin());
  }

  std::vector<std::pair<uint64_t, uint32_t>> entries_;  // (pair, position), sorted
  std::vector<uint32_t> taken_;  // at the first entry of a pair: how many of it are taken
};

// Sends routes in the order of the request; those that finish early wait.
class OrderedRoutes final : public PairConsumer {
 public:
  OrderedRoutes(const std::vector<PairIndex>& pairs, PairPositions positions,
                const ServiceLimits& limits, StreamWriter<v1::FindRoutesResponse>& writer)
      : pairs_(pairs),
        positions_(std::move(positions)),
        limits_(limits),
        writer_(writer),
        waiting_(pairs.size()) {}

  absl::Status OnPair(const PairIndex& pair, PairAnswer answer) override {
    const std::optional<size_t> position = positions_.Take(pair);
    if (!position) return ProtocolError("a pair was answered twice");
    waiting_bytes_ += PairBlockBuilder::SizeBytes(answer);
    waiting_[*position] = std::move(answer);
    while (next_ < waiting_.size() && waiting_[next_]) {
      TALWEG_RETURN_IF_ERROR(Append(pairs_[next_], *std::exchange(waiting_[next_], std::nullopt)));
      ++next_;
    }
    return CheckLimit("max_reorder_bytes", waiting_bytes_, limits_.max_reorder_bytes);
  }

  absl::Status OnTick(const v1::Progress& progress) override {
    TALWEG_RETURN_IF_ERROR(Flush());
    v1::FindRoutesResponse response;
    *response.mutable_progress() = progress;
    return writer_.Write(std::move(response));
  }

  absl::Status Flush() {
    if (block_.empty()) return absl::OkStatus();
    v1::FindRoutesResponse response;
    *response.mutable_routes() = block_.Take();
    return writer_.Write(std::move(response));
  }

 private:
  absl::Status Append(const PairIndex& pair, PairAnswer answer) {
    const uint64_t bytes = PairBlockBuilder::SizeBytes(answer);
    waiting_bytes_ -= bytes;
    if (block_.size_bytes() + bytes > kBlockBytes) TALWEG_RETURN_IF_ERROR(Flush());
    block_.Add(pair, std::move(answer));
    return absl::OkStatus();
  }

  const std::vector<PairIndex>& pairs_;
  PairPositions positions_;
  const ServiceLimits& limits_;
  StreamWriter<v1::FindRoutesResponse>& writer_;
  std::vector<std::optional<PairAnswer>> waiting_;
  uint64_t waiting_bytes_ = 0;
  size_t next_ = 0;
  PairBlockBuilder block_{Paths::kInclude};
};

// Searches whose pairs are due first come first.
void SortByPosition(const PairPositions& positions, PairPlan& plan) {
  std::vector<std::pair<size_t, PlannedSearch>> keyed;
  keyed.reserve(plan.searches.size());
  for (PlannedSearch& search : plan.searches) {
    size_t first = std::numeric_limits<size_t>::max();
    for (const auto& answers : search.answers) {
      for (const PlannedPair& planned : answers) {
        first = std::min(first, positions.First(planned.pair));
      }
    }
    keyed.emplace_back(first, std::move(search));
  }
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < keyed.size(); ++i) plan.searches[i] = std::move(keyed[i].second);
}

}  // namespace

absl::Status FindRoutes(CallContext& call, const v1::FindRoutesRequest& request,
                        StreamWriter<v1::FindRoutesResponse>& writer) {
  const ServiceLimits& limits = call.backend.limits;
  TALWEG_RETURN_IF_ERROR(
      CheckLength("request_id", request.request_id(), call.backend.limits.max_request_id_bytes));
  TALWEG_ASSIGN_OR_RETURN(PinnedRequest pinned, PinRequest(call, request.recipe()));
  if (!request.has_sources()) return MissingField("sources", "a list of at least one point");
  if (!request.has_destinations()) {
    return MissingField("destinations", "a list of at least one point");
  }
  TALWEG_ASSIGN_OR_RETURN(const std::vector<PairIndex> pairs, PairsFromProto(request, limits));
  TALWEG_ASSIGN_OR_RETURN(const ResolvedList sources,
                          ResolveList(call, pinned, request.sources(), "sources"));
  TALWEG_ASSIGN_OR_RETURN(const ResolvedList destinations,
                          ResolveList(call, pinned, request.destinations(), "destinations"));
  AddSources(sources, pinned.header);
  AddDestinations(destinations, pinned.header);
  TALWEG_RETURN_IF_ERROR(WriteHeader(std::move(pinned.header), writer));

  PairPlan plan =
      PlanRoutes(pinned.surface->description().shape, sources.points, destinations.points, pairs);
  PairPositions positions(pairs);
  SortByPosition(positions, plan);
  OrderedRoutes routes(pairs, std::move(positions), limits, writer);
  TALWEG_ASSIGN_OR_RETURN(v1::AnswerSummary summary, AnswerPairs(call, pinned, plan, routes));
  TALWEG_RETURN_IF_ERROR(routes.Flush());
  v1::FindRoutesResponse response;
  *response.mutable_summary() = std::move(summary);
  return writer.Write(std::move(response));
}

}  // namespace talweg::service
