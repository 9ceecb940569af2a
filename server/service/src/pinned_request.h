// What the three path calls have in common: a pinned surface, a recipe with
// its defaults filled in, points on cells, and the header that says all that.
#ifndef TALWEG_SERVICE_PINNED_REQUEST_H_
#define TALWEG_SERVICE_PINNED_REQUEST_H_

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/query/points.h"
#include "talweg/service/call_context.h"
#include "talweg/service/converters/recipe.h"
#include "talweg/service/streams.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/v1/path.pb.h"

namespace talweg::service {

struct PinnedRequest {
  std::shared_ptr<const store::SharedCostSurface> surface;  // this revision until the answer ends
  ResolvedRecipe recipe;
  v1::AnswerHeader header;  // without points as yet
};

// Opens the recipe's surface and fills in the recipe.
absl::StatusOr<PinnedRequest> PinRequest(const CallContext& call, const v1::Recipe& recipe);

// A list of points on cells, with its reports. Fails like PointsFromProto, or
// when the call ends meanwhile.
struct ResolvedList {
  std::vector<ResolvedPoint> points;
  std::vector<v1::PointReport> reports;
};
absl::StatusOr<ResolvedList> ResolveList(const CallContext& call, const PinnedRequest& request,
                                         const v1::PointList& list, std::string_view field);

// Puts the reports into the header, with a warning when no point is usable.
void AddSources(const ResolvedList& list, v1::AnswerHeader& header);
void AddDestinations(const ResolvedList& list, v1::AnswerHeader& header);

// Whether a sum of costs on this surface could leave float64: pairs may then
// be reported unreachable for that reason alone.
bool CostsMayOverflow(const PinnedRequest& request, double largest_start_cost);
std::string_view OverflowWarning();

// The header in messages below kBlockBytes each: all but the last say `more`.
std::vector<v1::AnswerHeader> SplitHeader(v1::AnswerHeader header);

template <class Response>
absl::Status WriteHeader(v1::AnswerHeader header, StreamWriter<Response>& writer) {
  for (v1::AnswerHeader& part : SplitHeader(std::move(header))) {
    Response response;
    *response.mutable_header() = std::move(part);
    if (absl::Status written = writer.Write(std::move(response)); !written.ok()) return written;
  }
  return absl::OkStatus();
}

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_PINNED_REQUEST_H_
