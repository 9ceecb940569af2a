#include "talweg/search/engine.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "back_link_rule.h"
#include "bucket_search.h"
#include "isotropic_relaxer.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "workspace_state.h"

namespace talweg {
namespace {

// What a cell that holds a source starts with.
struct SourceStart {
  double label = 0;
  int32_t number = 0;
};

// Codes of a whole field, in an output raster.
class FieldCodes {
 public:
  FieldCodes(const PaddedGrid& grid, RasterView<StepCode> codes) : grid_(grid), codes_(codes) {}
  StepCode get(PaddedIndex cell) const { return codes_[grid_.CellIndexOf(cell)]; }
  void set(PaddedIndex cell, StepCode code) { codes_[grid_.CellIndexOf(cell)] = code; }

 private:
  const PaddedGrid& grid_;
  RasterView<StepCode> codes_;
};

// Codes of the plateau cells that traces came across; every other cell counts
// as resolved.
class PlateauCodes {
 public:
  StepCode get(PaddedIndex cell) const {
    const auto found = codes_.find(cell);
    return found == codes_.end() ? kBackLinkSource : found->second;
  }
  void set(PaddedIndex cell, StepCode code) { codes_[cell] = code; }
  bool Contains(PaddedIndex cell) const { return codes_.contains(cell); }
  void Clear() { codes_.clear(); }

 private:
  std::unordered_map<PaddedIndex, StepCode> codes_;
};

template <class F, StepCostModel Model, int kStepCount>
class BucketEngine final : public Engine {
  using Relaxer = IsotropicRelaxer<Model, kStepCount>;

 public:
  // The storage must be bound to the surface and rule.
  BucketEngine(const CostSurfaceView& surface, const EngineRecipe& recipe, const FrictionRule& rule,
               WorkspaceState& workspace)
      : recipe_(recipe),
        space_(surface, rule, workspace.tiles),
        relaxer_(recipe.lengths, workspace.tiles.grid.stride()),
        queue_(workspace.queue),
        buffers_(workspace.buffers),
        rule_(space_.labels(), space_.frictions(), relaxer_) {}

  absl::StatusOr<SearchSummary> Run(const SearchRequest& request, SearchControl& control) override {
    TALWEG_RETURN_IF_ERROR(Validate(request));
    sources_.clear();
    plateau_codes_.Clear();
    bound_ = -1;  // no answer yet
    space_.BeginSearch(request.destinations.empty() && recipe_.max_cost == kNoMaxCost);
    queue_.Clear();
    CellBudget budget;
    TALWEG_RETURN_IF_ERROR(budget.Limit(space_.grid(), recipe_.max_cells));
    for (const Source& source : request.sources) Start(source);

    std::vector<PaddedIndex> destinations;
    for (const CellIndex cell : request.destinations) {
      destinations.push_back(space_.grid().IndexOf(cell));
    }
    StopRule stop(std::move(destinations), recipe_.max_cost);
    TALWEG_ASSIGN_OR_RETURN(
        const BucketSearchEnd end,
        RunBucketSearch(space_, relaxer_, queue_, stop, budget, buffers_, control));
    SearchSummary summary = Summarise(request.destinations);
    summary.settled_cells = end.relaxed_cells;
    if (budget.MayBeExceeded()) {
      TALWEG_RETURN_IF_ERROR(budget.Check(CountLabels(
          space_, [&](double label) { return label < kNoLabel && label <= summary.bound; })));
    }
    bound_ = summary.bound;
    return summary;
  }

  bool IsPassable(CellIndex cell) const override {
    return talweg::IsPassable(space_.FrictionAt(ToCell(space_.grid().shape(), cell)));
  }

  double CostAt(CellIndex cell) const override {
    return WithinBound(space_.LabelAt(ToCell(space_.grid().shape(), cell)));
  }

  TracedPath Trace(CellIndex destination) override {
    TracedPath path;
    PaddedIndex cell = space_.grid().IndexOf(destination);
    for (;;) {
      const StepCode code = CodeOf(cell);
      if (code == kBackLinkSource) break;
      path.steps.push_back(static_cast<char>(code));
      cell = relaxer_.Origin(cell, code);
    }
    path.source = space_.grid().CellIndexOf(cell);
    std::reverse(path.steps.begin(), path.steps.end());
    return path;
  }

  uint64_t WriteField(const FieldOutputs& outputs) override {
    const uint64_t reached = WriteCosts(outputs.costs);
    if (!outputs.back_links && !outputs.allocation) return reached;
    Raster<StepCode> own_codes;
    if (!outputs.back_links) own_codes = Raster<StepCode>(space_.grid().shape());
    const RasterView<StepCode> codes = outputs.back_links ? *outputs.back_links : own_codes.view();
    WriteBackLinks(outputs.costs, codes);
    if (outputs.allocation) WriteAllocation(codes, *outputs.allocation);
    return reached;
  }

 private:
  absl::Status Validate(const SearchRequest& request) const {
    const int64_t cells = space_.grid().shape().cells();
    const auto check_cell = [&](CellIndex cell, std::string_view field) {
      return cell >= 0 && cell < cells
                 ? absl::OkStatus()
                 : InvalidValue(field, std::to_string(cell), "0 to " + std::to_string(cells - 1));
    };
    if (request.sources.empty()) return EmptyList("sources");
    for (const Source& source : request.sources) {
      TALWEG_RETURN_IF_ERROR(check_cell(source.cell, "source_cell"));
      if (!(std::isfinite(source.start_cost) && source.start_cost >= 0)) {
        return InvalidValue("start_cost", source.start_cost, "a finite number >= 0");
      }
    }
    for (const CellIndex cell : request.destinations) {
      TALWEG_RETURN_IF_ERROR(check_cell(cell, "destination_cell"));
    }
    return absl::OkStatus();
  }

  // Of several sources in one cell the cheapest holds it, of equal ones the
  // first.
  void Start(const Source& source) {
    const PaddedIndex cell = space_.grid().IndexOf(source.cell);
    space_.Prepare(cell);
    const double friction = static_cast<double>(space_.frictions()[cell]);
    if (!talweg::IsPassable(friction)) return;
    const double label = source.start_cost + Model::SourceCost(friction);
    if (!(label < space_.labels()[cell])) return;
    space_.labels()[cell] = label;
    queue_.Push(cell, label);
    sources_[cell] = {.label = label, .number = source.number};
  }

  SearchSummary Summarise(const std::vector<CellIndex>& destinations) const {
    double dearest = 0;
    bool all_settled = !destinations.empty();
    for (const CellIndex cell : destinations) {
      const double label = space_.LabelAt(ToCell(space_.grid().shape(), cell));
      all_settled = all_settled && label < kNoLabel && label <= recipe_.max_cost;
      dearest = std::max(dearest, label);
    }
    if (all_settled) {
      return {.stop_cause = StopCause::kDestinationsSettled, .bound = dearest, .settled_cells = 0};
    }
    // Every cell next to one within max_cost has a label, so a cell beyond it
    // shows in the labels whatever the order of the search was.
    const bool cut =
        recipe_.max_cost != kNoMaxCost && CountLabels(space_, [&](double label) {
                                            return label < kNoLabel && label > recipe_.max_cost;
                                          }) > 0;
    return {.stop_cause = cut ? StopCause::kMaxCost : StopCause::kComplete,
            .bound = recipe_.max_cost,
            .settled_cells = 0};
  }

  double WithinBound(double label) const { return label <= bound_ ? label : kNoLabel; }

  // The source that keeps this cell, if any: not one that another source
  // reaches at a lower cost.
  const SourceStart* KeptSource(PaddedIndex cell) const {
    const auto found = sources_.find(cell);
    if (found == sources_.end() || found->second.label != space_.labels()[cell]) return nullptr;
    return &found->second;
  }

  // Back-link of a reached cell; solves the plateau it lies on when there is
  // one.
  StepCode CodeOf(PaddedIndex cell) {
    space_.Prepare(cell);
    if (KeptSource(cell) != nullptr) return kBackLinkSource;
    const StepCode code = rule_.DescendingCode(cell);
    if (code != kBackLinkOpen) return code;
    if (!plateau_codes_.Contains(cell)) SolvePlateau(cell);
    return plateau_codes_.get(cell);
  }

  // Resolves the part of a plateau from which `cell` can be reached.
  void SolvePlateau(PaddedIndex cell) {
    std::vector<PaddedIndex> open = {cell};
    plateau_codes_.set(cell, kBackLinkOpen);
    for (size_t i = 0; i < open.size(); ++i) {
      rule_.ForEachLevelOrigin(open[i], [&](PaddedIndex u, StepCode) {
        space_.Prepare(u);
        if (!plateau_codes_.Contains(u) && KeptSource(u) == nullptr &&
            rule_.DescendingCode(u) == kBackLinkOpen) {
          plateau_codes_.set(u, kBackLinkOpen);
          open.push_back(u);
        }
        return true;
      });
    }
    rule_.ResolvePlateaux(std::move(open), plateau_codes_);
  }

  // Calls f(start cell, count, padded index, labelled) for the runs of the
  // surface's cells that a tile row holds.
  template <class RunFunction>
  void ForEachRun(const RunFunction& f) const {
    const PaddedGrid& grid = space_.grid();
    for (int64_t tile = 0; tile < grid.tiles(); ++tile) {
      const bool labelled = space_.IsLabelled(tile);
      space_.ForEachRow(tile, [&](PaddedIndex begin, PaddedIndex end) {
        const Cell start = grid.CellOf(begin);
        if (start.row < 0 || start.row >= grid.shape().rows) return;
        const int64_t first = std::max<int64_t>(start.col, 0);
        const int64_t last =
            std::min(start.col + static_cast<int64_t>(end - begin), grid.shape().cols);
        if (first >= last) return;
        f(Cell{start.row, first}, last - first,
          static_cast<PaddedIndex>(begin + (first - start.col)), labelled);
      });
    }
  }

  uint64_t WriteCosts(RasterView<double> costs) const {
    uint64_t reached = 0;
    std::array<F, PaddedGrid::kTileSide> run;
    ForEachRun([&](const Cell& start, int64_t count, PaddedIndex padded, bool labelled) {
      double* out = &costs(start.row, start.col);
      const F* frictions = run.data();
      if (labelled)
        frictions = space_.frictions() + padded;
      else
        space_.ReadFrictions(start, count, run.data());
      for (int64_t i = 0; i < count; ++i) {
        if (!talweg::IsPassable(static_cast<double>(frictions[i]))) {
          out[i] = std::numeric_limits<double>::quiet_NaN();
          continue;
        }
        out[i] = labelled ? WithinBound(space_.labels()[padded + i]) : kNoLabel;
        reached += out[i] < kNoLabel ? 1U : 0U;
      }
    });
    return reached;
  }

  void WriteBackLinks(RasterView<const double> costs, RasterView<StepCode> codes) {
    space_.PrepareAroundLabelled();
    std::vector<PaddedIndex> open;
    ForEachRun([&](const Cell& start, int64_t count, PaddedIndex padded, bool) {
      for (int64_t i = 0; i < count; ++i) {
        const Cell cell = {start.row, start.col + i};
        const double cost = costs(cell.row, cell.col);
        StepCode& code = codes(cell.row, cell.col);
        if (std::isnan(cost)) {
          code = kBackLinkImpassable;
        } else if (!(cost < kNoLabel)) {
          code = kBackLinkNotReached;
        } else {
          code = rule_.DescendingCode(static_cast<PaddedIndex>(padded + i));
          if (code == kBackLinkOpen) open.push_back(static_cast<PaddedIndex>(padded + i));
        }
      }
    });
    for (const auto& [cell, start] : sources_) {
      if (KeptSource(cell) != nullptr && start.label <= bound_) {
        codes[space_.grid().CellIndexOf(cell)] = kBackLinkSource;
      }
    }
    FieldCodes field_codes(space_.grid(), codes);
    rule_.ResolvePlateaux(std::move(open), field_codes);
  }

  // Follows the back-links; every cell is visited a constant number of times.
  void WriteAllocation(RasterView<const StepCode> codes, RasterView<int32_t> allocation) const {
    constexpr int32_t kUnknown = -2;
    const Shape shape = space_.grid().shape();
    for (CellIndex i = 0; i < shape.cells(); ++i) {
      const bool reached = codes[i] != kBackLinkNotReached && codes[i] != kBackLinkImpassable;
      allocation[i] = reached ? kUnknown : -1;
    }
    for (const auto& [cell, start] : sources_) {
      const CellIndex index = space_.grid().CellIndexOf(cell);
      if (codes[index] == kBackLinkSource) allocation[index] = start.number;
    }
    std::vector<CellIndex> chain;
    for (CellIndex i = 0; i < shape.cells(); ++i) {
      CellIndex cell = i;
      while (allocation[cell] == kUnknown) {
        chain.push_back(cell);
        const Step& move = kSteps[codes[cell]];
        cell -= move.row * shape.cols + move.col;
      }
      for (const CellIndex link : chain) allocation[link] = allocation[cell];
      chain.clear();
    }
  }

  EngineRecipe recipe_;
  TileSpace<F> space_;
  Relaxer relaxer_;
  AdaptiveBucketQueue& queue_;
  SearchBuffers& buffers_;
  BackLinkRule<F, Relaxer> rule_;
  std::unordered_map<PaddedIndex, SourceStart> sources_;
  PlateauCodes plateau_codes_;
  double bound_ = -1;
};

template <class F>
absl::StatusOr<std::unique_ptr<Engine>> BuildFor(const CostSurfaceView& surface,
                                                 const EngineRecipe& recipe,
                                                 const FrictionRule& rule,
                                                 WorkspaceState& workspace) {
  TALWEG_RETURN_IF_ERROR(TileSpace<F>::Bind(surface, rule, workspace.tiles));
  return VisitStepModel(recipe.step_model, [&](auto model) -> std::unique_ptr<Engine> {
    using Model = decltype(model);
    if (recipe.neighbourhood == Neighbourhood::kFour) {
      return std::make_unique<BucketEngine<F, Model, 4>>(surface, recipe, rule, workspace);
    }
    return std::make_unique<BucketEngine<F, Model, 8>>(surface, recipe, rule, workspace);
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> Engine::Build(const CostSurfaceView& surface,
                                                      const EngineRecipe& recipe,
                                                      SearchWorkspace& workspace) {
  TALWEG_RETURN_IF_ERROR(ValidateEngineRecipe(recipe));
  const FrictionRule rule = surface.WithOwnNodata(recipe.friction);
  return FitsFloat(surface.value_type(), rule)
             ? BuildFor<float>(surface, recipe, rule, workspace.state())
             : BuildFor<double>(surface, recipe, rule, workspace.state());
}

}  // namespace talweg
