// Runs a pair plan on the workers and hands out its pairs: what routes and
// matrices share.
#ifndef TALWEG_SERVICE_ANSWER_PAIRS_H_
#define TALWEG_SERVICE_ANSWER_PAIRS_H_

#include "absl/status/statusor.h"
#include "pinned_request.h"
#include "talweg/query/pair_plan.h"
#include "talweg/service/call_context.h"
#include "talweg/v1/path.pb.h"

namespace talweg::service {

// Takes the pairs of a plan, each once, decided ones first.
class PairConsumer {
 public:
  virtual ~PairConsumer() = default;
  virtual absl::Status OnPair(const PairIndex& pair, PairAnswer answer) = 0;
  // Called a few times a second: send what is ready, then the progress.
  virtual absl::Status OnTick(const v1::Progress& progress) = 0;
};

// One search per task while searches are few; batches of up to 64 when they
// are many, so that there are some 16 tasks per worker. Fails with the first
// failure of a search; nothing is half answered without a failure.
absl::StatusOr<v1::AnswerSummary> AnswerPairs(CallContext& call, const PinnedRequest& request,
                                              const PairPlan& plan, PairConsumer& consumer);

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_ANSWER_PAIRS_H_
