// Requests in few words, and answers collected.
#ifndef TALWEG_TESTS_INTEGRATION_REQUESTS_H_
#define TALWEG_TESTS_INTEGRATION_REQUESTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "talweg/client/client.h"
#include "talweg/cost/cost_surface.h"

namespace talweg::test {

// A float64 surface in cell units; row by row.
CostSurface Surface(const std::vector<std::vector<double>>& rows);
// All cells alike.
CostSurface Uniform(Shape shape, double friction);

v1::SurfaceDescription DescriptionOf(const CostSurface& surface);
std::string_view BytesOf(const CostSurface& surface);
absl::StatusOr<v1::Surface> Put(client::Client& client, const std::string& id,
                                const CostSurface& surface);

v1::Recipe RecipeOn(const std::string& surface_name);
v1::PointList Cells(const std::vector<std::pair<int64_t, int64_t>>& cells);

struct PairValue {
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;
  double cost = 0;
  double length = 0;
  v1::EncodedPath path;
};

struct PairsAnswer {
  v1::AnswerHeader header;
  std::vector<std::pair<uint32_t, uint32_t>> order;  // as the pairs arrived
  std::map<std::pair<uint32_t, uint32_t>, PairValue> pairs;
  v1::AnswerSummary summary;
  int progress_messages = 0;

  double cost(uint32_t source, uint32_t destination) const {
    return pairs.at({source, destination}).cost;
  }
  v1::Outcome outcome(uint32_t source, uint32_t destination) const {
    return pairs.at({source, destination}).outcome;
  }
};
absl::StatusOr<PairsAnswer> Matrix(client::Client& client, const v1::ComputeMatrixRequest& request,
                                   const client::CallOptions& options = {});
absl::StatusOr<PairsAnswer> Routes(client::Client& client, const v1::FindRoutesRequest& request,
                                   const client::CallOptions& options = {});

struct FieldAnswer {
  v1::AnswerHeader header;
  std::vector<double> costs;
  std::vector<uint8_t> back_links;
  std::vector<int32_t> allocation;
  v1::FieldSummary summary;
  int blocks = 0;
};
// Fails the test when blocks do not follow one another.
absl::StatusOr<FieldAnswer> Field(client::Client& client,
                                  const v1::ComputeCostFieldRequest& request,
                                  const client::CallOptions& options = {});

// Cells of an encoded path; fails the test when it is malformed.
std::vector<std::pair<int64_t, int64_t>> PathOf(const v1::EncodedPath& path, Shape shape);

}  // namespace talweg::test

#endif  // TALWEG_TESTS_INTEGRATION_REQUESTS_H_
