#include "requests.h"

#include <gtest/gtest.h>

#include <cstring>

#include "talweg/query/path.h"
#include "talweg/service/converters/surface.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

client::AnswerHandlers CollectPairs(PairsAnswer& answer) {
  return {.on_header =
              [&](const v1::AnswerHeader& header) {
                answer.header = header;
                return absl::OkStatus();
              },
          .on_pairs =
              [&](const v1::PairBlock& block) {
                for (int i = 0; i < block.source_size(); ++i) {
                  const std::pair pair{block.source(i), block.destination(i)};
                  answer.order.push_back(pair);
                  answer.pairs[pair] = {
                      .outcome = block.outcome(i),
                      .cost = block.cost(i),
                      .length = block.length(i),
                      .path = block.path().empty() ? v1::EncodedPath() : block.path(i)};
                }
                return absl::OkStatus();
              },
          .on_field_block = {},
          .on_progress = [&](const v1::Progress&) { ++answer.progress_messages; }};
}

template <class T>
void Append(std::vector<T>& cells, const std::string& bytes) {
  const size_t old_size = cells.size();
  cells.resize(old_size + bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(cells.data() + old_size, bytes.data(), bytes.size());
}

}  // namespace

CostSurface Surface(const std::vector<std::vector<double>>& rows) {
  const Shape shape{static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows.front().size())};
  Raster<double> cells(shape);
  for (int64_t row = 0; row < shape.rows; ++row) {
    for (int64_t col = 0; col < shape.cols; ++col) {
      cells(row, col) = rows[static_cast<size_t>(row)][static_cast<size_t>(col)];
    }
  }
  return CostSurface(std::move(cells));
}

CostSurface Uniform(Shape shape, double friction) {
  return CostSurface(Raster<double>(shape, friction));
}

v1::SurfaceDescription DescriptionOf(const CostSurface& surface) {
  return service::SurfaceDescriptionToProto(surface.description());
}

std::string_view BytesOf(const CostSurface& surface) {
  return {static_cast<const char*>(surface.view().data()), surface.description().size_bytes()};
}

absl::StatusOr<v1::Surface> Put(client::Client& client, const std::string& id,
                                const CostSurface& surface) {
  client::PutSurfaceRequest request;
  request.surface_id = id;
  request.description = DescriptionOf(surface);
  request.cells = BytesOf(surface);
  return client.PutSurface(request);
}

v1::Recipe RecipeOn(const std::string& surface_name) {
  v1::Recipe recipe;
  recipe.add_surfaces()->set_surface(surface_name);
  return recipe;
}

v1::PointList Cells(const std::vector<std::pair<int64_t, int64_t>>& cells) {
  v1::PointList list;
  for (const auto& [row, col] : cells) {
    v1::CellPosition& cell = *list.add_points()->mutable_cell();
    cell.set_row(row);
    cell.set_col(col);
  }
  return list;
}

absl::StatusOr<PairsAnswer> Matrix(client::Client& client, const v1::ComputeMatrixRequest& request,
                                   const client::CallOptions& options) {
  PairsAnswer answer;
  auto summary = client.ComputeMatrix(request, CollectPairs(answer), options);
  if (!summary.ok()) return summary.status();
  answer.summary = *std::move(summary);
  return answer;
}

absl::StatusOr<PairsAnswer> Routes(client::Client& client, const v1::FindRoutesRequest& request,
                                   const client::CallOptions& options) {
  PairsAnswer answer;
  auto summary = client.FindRoutes(request, CollectPairs(answer), options);
  if (!summary.ok()) return summary.status();
  answer.summary = *std::move(summary);
  return answer;
}

absl::StatusOr<FieldAnswer> Field(client::Client& client,
                                  const v1::ComputeCostFieldRequest& request,
                                  const client::CallOptions& options) {
  FieldAnswer answer;
  client::AnswerHandlers handlers;
  handlers.on_header = [&](const v1::AnswerHeader& header) {
    answer.header = header;
    return absl::OkStatus();
  };
  handlers.on_field_block = [&](const v1::FieldBlock& block) {
    EXPECT_EQ(block.first_cell(), answer.costs.size());
    EXPECT_LE(block.ByteSizeLong(), 1024u * 1024u);
    Append(answer.costs, block.costs());
    Append(answer.back_links, block.back_links());
    Append(answer.allocation, block.allocation());
    ++answer.blocks;
    return absl::OkStatus();
  };
  auto summary = client.ComputeCostField(request, handlers, options);
  if (!summary.ok()) return summary.status();
  answer.summary = *std::move(summary);
  return answer;
}

std::vector<std::pair<int64_t, int64_t>> PathOf(const v1::EncodedPath& path, Shape shape) {
  const auto cells =
      PathCells({.start = static_cast<CellIndex>(path.start_cell()), .steps = path.steps()}, shape);
  EXPECT_THAT(cells, IsOk());
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (cells.ok()) {
    for (const Cell& cell : *cells) pairs.emplace_back(cell.row, cell.col);
  }
  return pairs;
}

}  // namespace talweg::test
