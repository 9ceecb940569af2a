#include "answer_pairs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/service/converters/pairs.h"
#include "task_group.h"

namespace talweg::service {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(150);

size_t SearchesPerTask(size_t searches, uint32_t workers) {
  constexpr size_t kTasksPerWorker = 16;
  constexpr size_t kMaxSearches = 64;
  return std::clamp<size_t>(searches / (kTasksPerWorker * std::max(1u, workers)), 1, kMaxSearches);
}

// One run of a plan.
class PlanRun {
 public:
  PlanRun(CallContext& call, const PinnedRequest& request, const PairPlan& plan,
          PairConsumer& consumer)
      : call_(call),
        request_(request),
        plan_(plan),
        consumer_(consumer),
        per_task_(SearchesPerTask(plan.searches.size(), call.backend.pool.status().workers)) {
    progress_.set_total(CountPairs());
  }

  absl::StatusOr<v1::AnswerSummary> Run() {
    for (const DecidedPair& decided : plan_.decided) {
      TALWEG_RETURN_IF_ERROR(Deliver(decided.pair, DecidedAnswer(decided.outcome)));
    }
    const size_t tasks = (plan_.searches.size() + per_task_ - 1) / per_task_;
    TaskGroup group(call_, tasks, [this](size_t number) { return MakeTask(number); });
    MonotonicTime next_tick = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(kTick);
    while (!group.done()) {
      const MonotonicTime now = std::chrono::steady_clock::now();
      if (now >= next_tick) {
        TALWEG_RETURN_IF_ERROR(Tick(group));
        next_tick = now + absl::ToChronoNanoseconds(kTick);
      }
      TALWEG_ASSIGN_OR_RETURN(std::optional<TaskGroup::Finished> finished,
                              group.Next(absl::FromChrono(next_tick - now)));
      if (!finished) continue;
      TALWEG_RETURN_IF_ERROR(
          DeliverTask(finished->number, std::get<workers::PathsAnswer>(finished->answer)));
    }
    return Summary(group.work().settled_cells);
  }

 private:
  uint64_t CountPairs() const {
    uint64_t pairs = plan_.decided.size();
    for (const PlannedSearch& search : plan_.searches) {
      for (const auto& answers : search.answers) pairs += answers.size();
    }
    return pairs;
  }

  workers::Task MakeTask(size_t number) const {
    workers::PathsWork work;
    const size_t first = number * per_task_;
    const size_t last = std::min(first + per_task_, plan_.searches.size());
    for (size_t i = first; i < last; ++i) work.items.push_back(plan_.searches[i].request);
    workers::Task task;
    task.surface = request_.surface;
    task.recipe = request_.recipe.engine;
    task.work = std::move(work);
    return task;
  }

  absl::Status Tick(const TaskGroup& group) {
    const TaskGroup::Work work = group.work();
    progress_.set_settled_cells(work.settled_cells);
    progress_.set_frontier_cost(work.frontier_cost);
    return consumer_.OnTick(progress_);
  }

  absl::Status DeliverTask(size_t number, workers::PathsAnswer& answer) {
    const size_t first = number * per_task_;
    const size_t expected = std::min(per_task_, plan_.searches.size() - first);
    if (answer.items.size() != expected) return ProtocolError("an answer has too few items");
    for (size_t i = 0; i < expected; ++i) {
      TALWEG_RETURN_IF_ERROR(DeliverSearch(plan_.searches[first + i], answer.items[i]));
    }
    return absl::OkStatus();
  }

  absl::Status DeliverSearch(const PlannedSearch& search, OneToManyAnswer& answer) {
    if (answer.pairs.size() != search.answers.size()) {
      return ProtocolError("an answer has too few pairs");
    }
    for (size_t i = 0; i < answer.pairs.size(); ++i) {
      TALWEG_RETURN_IF_ERROR(DeliverPairs(search.answers[i], std::move(answer.pairs[i])));
    }
    return absl::OkStatus();
  }

  // One found path answers every pair that was planned on it.
  absl::Status DeliverPairs(const std::vector<PlannedPair>& planned, PairAnswer answer) {
    if (answer.outcome == Outcome::kUnreachable) ++unreachable_;
    TALWEG_RETURN_IF_ERROR(CheckLimit("max_path_steps", answer.path.steps.size(),
                                      call_.backend.limits.max_path_steps));
    for (size_t i = 0; i < planned.size(); ++i) {
      PairAnswer given = i + 1 < planned.size() ? answer : std::move(answer);
      if (planned[i].sense == PathSense::kReversed && given.outcome == Outcome::kOk) {
        given.path = ReversePath(given.path, request_.surface->description().shape);
      }
      TALWEG_RETURN_IF_ERROR(Deliver(planned[i].pair, std::move(given)));
    }
    return absl::OkStatus();
  }

  absl::Status Deliver(const PairIndex& pair, PairAnswer answer) {
    progress_.set_finished(progress_.finished() + 1);
    return consumer_.OnPair(pair, std::move(answer));
  }

  v1::AnswerSummary Summary(uint64_t settled_cells) const {
    v1::AnswerSummary summary;
    summary.set_settled_cells(settled_cells);
    summary.set_searches(plan_.searches.size());
    double largest_start_cost = 0;
    for (const PlannedSearch& search : plan_.searches) {
      largest_start_cost = std::max(largest_start_cost, search.request.source.start_cost);
    }
    if (unreachable_ > 0 && CostsMayOverflow(request_, largest_start_cost)) {
      summary.add_warnings(std::string(OverflowWarning()));
    }
    return summary;
  }

  CallContext& call_;
  const PinnedRequest& request_;
  const PairPlan& plan_;
  PairConsumer& consumer_;
  const size_t per_task_;
  v1::Progress progress_;
  uint64_t unreachable_ = 0;
};

}  // namespace

absl::StatusOr<v1::AnswerSummary> AnswerPairs(CallContext& call, const PinnedRequest& request,
                                              const PairPlan& plan, PairConsumer& consumer) {
  return PlanRun(call, request, plan, consumer).Run();
}

}  // namespace talweg::service
