// Full fields by the production kernel and by the oracle, on one core.
#include <benchmark/benchmark.h>

#include <ctime>
#include <string>

#include "surfaces.h"
#include "talweg/search/engine.h"
#include "talweg/search/oracle.h"

namespace talweg::bench {
namespace {

// The corner would favour some kernels, the middle others: a third in.
CellIndex SourceCell(const CostSurfaceView& surface) {
  const Shape& shape = surface.shape();
  CellIndex cell = ToIndex(shape, {shape.rows / 3, shape.cols / 3});
  while (!IsPassable(surface.FrictionAt(ToCell(shape, cell), {}))) ++cell;
  return cell;
}

// Processor time of the measured loop, per cell: google-benchmark's own rate
// counters print nanoseconds as seconds.
class PerCell {
 public:
  PerCell(benchmark::State& state, const Shape& shape)
      : state_(state), cells_(static_cast<double>(shape.cells())), start_(std::clock()) {}
  PerCell(const PerCell&) = delete;
  PerCell& operator=(const PerCell&) = delete;
  ~PerCell() {
    const double seconds = static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
    state_.counters["ns/cell"] = seconds * 1e9 / cells_ / static_cast<double>(state_.iterations());
    state_.counters["relaxations/cell"] = static_cast<double>(settled_cells) / cells_;
  }

  uint64_t settled_cells = 0;  // of the latest iteration

 private:
  benchmark::State& state_;
  double cells_;
  std::clock_t start_;
};

void BM_Field(benchmark::State& state, const std::string& name) {
  const CostSurface surface = MakeSurface(name, state.range(0));
  const CostSurfaceView view(surface.description(), surface.view().data(), NewSurfaceIdentity());
  EngineRecipe recipe;
  recipe.neighbourhood = static_cast<Neighbourhood>(state.range(1));
  const SearchRequest request{.sources = {{.cell = SourceCell(view)}}, .destinations = {}};
  SearchWorkspace workspace;
  PerCell per_cell(state, view.shape());
  for (auto _ : state) {
    const auto engine = Engine::Build(view, recipe, workspace);
    SearchControl control;
    const auto summary = (*engine)->Run(request, control);
    per_cell.settled_cells = summary->settled_cells;
    benchmark::DoNotOptimize(summary);
  }
}

void BM_FieldWithBackLinks(benchmark::State& state, const std::string& name) {
  const CostSurface surface = MakeSurface(name, state.range(0));
  const CostSurfaceView view(surface.description(), surface.view().data(), NewSurfaceIdentity());
  const SearchRequest request{.sources = {{.cell = SourceCell(view)}}, .destinations = {}};
  SearchWorkspace workspace;
  Raster<double> costs(view.shape());
  Raster<StepCode> back_links(view.shape());
  PerCell per_cell(state, view.shape());
  for (auto _ : state) {
    const auto engine = Engine::Build(view, {}, workspace);
    SearchControl control;
    const auto summary = (*engine)->Run(request, control);
    per_cell.settled_cells = summary->settled_cells;
    (*engine)->WriteField({.costs = costs.view(), .back_links = back_links.view()});
  }
}

void BM_Oracle(benchmark::State& state, const std::string& name) {
  const CostSurface surface = MakeSurface(name, state.range(0));
  const SearchRequest request{.sources = {{.cell = SourceCell(surface.view())}},
                              .destinations = {}};
  PerCell per_cell(state, surface.view().shape());
  for (auto _ : state) {
    const auto answer = RunOracle(surface.view(), {}, request);
    per_cell.settled_cells = answer->summary.settled_cells;
  }
}

const int kRegistered = [] {
  for (const std::string_view surface : kSurfaceNames) {
    const std::string name(surface);
    benchmark::RegisterBenchmark(("Field/" + name).c_str(), BM_Field, name)
        ->ArgNames({"size", "neighbours"})
        ->Args({1000, 8})
        ->Args({1000, 4})
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("FieldWithBackLinks/" + name).c_str(), BM_FieldWithBackLinks,
                                 name)
        ->ArgNames({"size"})
        ->Arg(1000)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("Oracle/" + name).c_str(), BM_Oracle, name)
        ->ArgNames({"size"})
        ->Arg(1000)
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
}  // namespace talweg::bench
