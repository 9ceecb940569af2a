// The production kernel against the oracle, bit for bit, and its back-links and
// allocation against their definition, on seeded surfaces of every type and
// temper.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "talweg/search/engine.h"
#include "talweg/search/oracle.h"
#include "talweg/test/random_surface.h"
#include "talweg/test/reference_links.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {
namespace {

struct Case {
  ValueType type;
  Temper temper;
};

class KernelEqualsOracle : public testing::TestWithParam<Case> {};

bool SameBits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

// First differing cell of two fields, or -1.
CellIndex FirstDifference(RasterView<const double> a, RasterView<const double> b) {
  for (CellIndex i = 0; i < a.shape().cells(); ++i) {
    if (!SameBits(a[i], b[i])) return i;
  }
  return -1;
}

template <class T>
CellIndex FirstDifference(const Raster<T>& a, const Raster<T>& b) {
  for (CellIndex i = 0; i < a.shape().cells(); ++i) {
    if (a.view()[i] != b.view()[i]) return i;
  }
  return -1;
}

constexpr Shape kShapes[] = {{1, 1}, {1, 2},   {1, 37},  {37, 1},  {2, 2},
                             {5, 3}, {17, 23}, {64, 64}, {65, 62}, {130, 71}};

TEST_P(KernelEqualsOracle, InFieldBackLinksAndAllocation) {
  SearchWorkspace workspace;  // one for all: what a search leaves must not matter
  uint64_t seed = BaseSeed() + static_cast<uint64_t>(GetParam().type) * 1000 +
                  static_cast<uint64_t>(GetParam().temper) * 100;
  for (const Shape& shape : kShapes) {
    for (const auto neighbourhood : {Neighbourhood::kFour, Neighbourhood::kEight}) {
      for (const auto model : {StepModel::kMean, StepModel::kEntry}) {
        SCOPED_TRACE(testing::Message()
                     << shape.rows << " x " << shape.cols << ", " << StepCount(neighbourhood)
                     << " neighbours, model " << static_cast<int>(model) << ", seed " << ++seed);
        const CostSurface surface = RandomSurface(shape, GetParam().type, GetParam().temper, seed);
        std::mt19937_64 random(seed);
        const auto cell = [&] {
          return std::uniform_int_distribution<CellIndex>(0, shape.cells() - 1)(random);
        };
        EngineRecipe recipe;
        recipe.step_model = model;
        recipe.neighbourhood = neighbourhood;
        if (seed % 3 == 0) recipe.lengths = RightAngledStepLengths(2.5, 0.75);
        if (seed % 5 == 0) {
          recipe.lengths = {
              .along_cols = 1, .along_rows = 1.1, .diagonal_se = 1.2, .diagonal_ne = 1.7};
        }
        if (seed % 7 == 0) recipe.friction.nodata_friction = 0.1;
        if (seed % 11 == 0) recipe.friction.barrier_values = {1};
        SearchRequest request;
        const auto sources = 1 + seed % 4;
        for (uint64_t i = 0; i < sources; ++i) {
          request.sources.push_back({.cell = cell(),
                                     .start_cost = i % 2 == 0 ? 0.0 : 0.25 * double(seed % 5),
                                     .number = static_cast<int32_t>(i)});
        }
        if (seed % 4 == 1) request.destinations = {cell(), cell()};
        if (seed % 6 == 5) recipe.max_cost = 3.5;

        ASSERT_OK_AND_ASSIGN(const OracleAnswer expected,
                             RunOracle(surface.view(), recipe, request));
        const ReferenceLinks links = LinksByDefinition(expected, recipe, request);

        ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface.view(), recipe, workspace));
        SearchControl control;
        ASSERT_OK_AND_ASSIGN(const SearchSummary summary, engine->Run(request, control));
        Raster<double> costs(shape);
        Raster<StepCode> back_links(shape);
        Raster<int32_t> allocation(shape);
        engine->WriteField({.costs = costs.view(),
                            .back_links = back_links.view(),
                            .allocation = allocation.view()});

        EXPECT_EQ(summary.stop_cause, expected.summary.stop_cause);
        ASSERT_EQ(FirstDifference(costs.view(), expected.costs.view()), -1);
        ASSERT_EQ(FirstDifference(back_links, links.back_links), -1);
        ASSERT_EQ(FirstDifference(allocation, links.allocation), -1);

        // Traces follow the same links.
        for (int i = 0; i < 5; ++i) {
          const CellIndex destination = cell();
          const double cost = expected.costs.view()[destination];
          if (!(cost < kImpassableFriction)) {
            EXPECT_EQ(engine->CostAt(destination), kImpassableFriction);
            continue;
          }
          EXPECT_TRUE(SameBits(engine->CostAt(destination), cost));
          const TracedPath path = engine->Trace(destination);
          CellIndex at = destination;
          for (size_t k = path.steps.size(); k-- > 0;) {
            const auto code = static_cast<StepCode>(path.steps[k]);
            ASSERT_EQ(code, links.back_links.view()[at]);
            at -= kSteps[code].row * shape.cols + kSteps[code].col;
          }
          EXPECT_EQ(at, path.source);
          EXPECT_EQ(links.back_links.view()[at], kBackLinkSource);
        }
      }
    }
  }
}

std::string CaseName(const testing::TestParamInfo<Case>& tested) {
  return std::string(ValueTypeName(tested.param.type)) + "_" + TemperName(tested.param.temper);
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (int type = 1; type <= 8; ++type) {
    for (int temper = 0; temper < kTemperCount; ++temper) {
      cases.push_back({static_cast<ValueType>(type), static_cast<Temper>(temper)});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Surfaces, KernelEqualsOracle, testing::ValuesIn(AllCases()), CaseName);

TEST(SearchWorkspace, IsReusedAcrossSurfacesOfOneIdentityWithoutAMixUp) {
  SearchWorkspace workspace;
  const Shape shape{100, 90};
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const CostSurface cells = RandomSurface(shape, ValueType::kFloat64, Temper::kUniform, seed % 3);
    // Three surfaces, each under its own identity, in turn; every second
    // request with another rule.
    const CostSurfaceView surface(cells.description(), cells.view().data(), 1000 + seed % 3);
    EngineRecipe recipe;
    if (seed % 2 == 0) recipe.friction.barrier_values = {cells.view().cells<double>()[17]};
    const SearchRequest request{.sources = {{.cell = static_cast<CellIndex>(seed * 7)}},
                                .destinations = {}};
    ASSERT_OK_AND_ASSIGN(const OracleAnswer expected, RunOracle(surface, recipe, request));
    ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface, recipe, workspace));
    SearchControl control;
    ASSERT_THAT(engine->Run(request, control), IsOk());
    Raster<double> costs(shape);
    engine->WriteField({.costs = costs.view()});
    ASSERT_EQ(FirstDifference(costs.view(), expected.costs.view()), -1) << "seed " << seed;
  }
}

TEST(SearchWorkspace, StaysSmallWhenSmallSearchesRoamALargeSurface) {
  const Shape shape{3000, 3000};
  const CostSurface surface(Raster<uint8_t>(shape, uint8_t{1}));
  SearchWorkspace workspace;
  EngineRecipe recipe;
  for (int64_t i = 0; i < 200; ++i) {
    const Cell from{(i * 911) % 2990, (i * 577) % 2990};
    ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Build(surface.view(), recipe, workspace));
    SearchControl control;
    const SearchRequest request{.sources = {{.cell = ToIndex(shape, from)}},
                                .destinations = {ToIndex(shape, {from.row + 9, from.col + 5})}};
    ASSERT_THAT(engine->Run(request, control), IsOk());
    EXPECT_LT(workspace.resident_bytes(), uint64_t{12} << 20);
  }
}

}  // namespace
}  // namespace talweg::test
