#include "talweg/workers/task_codec.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "talweg/test/status_matchers.h"

namespace talweg::workers {
namespace {

using test::HasReason;
using test::IsOk;

constexpr Shape kShape = {10, 20};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

EngineRecipe Recipe() {
  EngineRecipe recipe;
  recipe.step_model = StepModel::kEntry;
  recipe.neighbourhood = Neighbourhood::kFour;
  recipe.lengths = {.along_cols = 30, .along_rows = 20, .diagonal_se = 36, .diagonal_ne = 37};
  recipe.friction = {.nodata = {1, 2}, .barrier_values = {3}, .nodata_friction = 0.5};
  recipe.max_cost = 100;
  recipe.max_cells = 1000;
  return recipe;
}

PathsWork Paths2() {
  PathsWork work;
  work.items.push_back({.source = {.cell = 5, .start_cost = 1.5},
                        .destinations = {7, 199},
                        .paths = Paths::kInclude});
  work.items.push_back({.source = {.cell = 0}, .destinations = {0}, .paths = Paths::kOmit});
  return work;
}

PathsAnswer Answer2() {
  PathsAnswer answer;
  answer.items.resize(2);
  answer.items[0].settled_cells = 11;
  answer.items[0].pairs = {
      {.outcome = Outcome::kOk, .cost = 2, .length = 3, .path = {.start = 5, .steps = "\1\1"}},
      {.outcome = Outcome::kUnreachable, .cost = std::nan(""), .length = std::nan(""), .path = {}}};
  answer.items[1].pairs = {{.outcome = Outcome::kOk, .cost = 0, .length = 0, .path = {}}};
  return answer;
}

TEST(RecipeCodec, GivesBackWhatItTook) {
  ASSERT_OK_AND_ASSIGN(const EngineRecipe recipe, RecipeFromProto(RecipeToProto(Recipe())));
  const EngineRecipe expected = Recipe();
  EXPECT_EQ(recipe.step_model, expected.step_model);
  EXPECT_EQ(recipe.neighbourhood, expected.neighbourhood);
  EXPECT_EQ(recipe.lengths, expected.lengths);
  EXPECT_EQ(recipe.friction, expected.friction);
  EXPECT_EQ(recipe.max_cost, expected.max_cost);
  EXPECT_EQ(recipe.max_cells, expected.max_cells);
  ASSERT_OK_AND_ASSIGN(const EngineRecipe defaults, RecipeFromProto(RecipeToProto({})));
  EXPECT_EQ(defaults.max_cost, kNoMaxCost);
  EXPECT_EQ(defaults.max_cells, kNoMaxCells);
  EXPECT_FALSE(defaults.friction.nodata_friction.has_value());
}

TEST(RecipeCodec, RefusesWhatNoServerWouldSend) {
  const std::vector<std::function<void(worker::v1::EngineRecipe&)>> changes = {
      [](auto& r) { r.clear_step_model(); },
      [](auto& r) { r.set_step_model(static_cast<worker::v1::EngineRecipe::StepModel>(77)); },
      [](auto& r) { r.set_neighbourhood(5); },
      [](auto& r) { r.set_along_cols(0); },
      [](auto& r) { r.set_diagonal_se(kInfinity); },
      [](auto& r) { r.set_max_cost(-1); },
      [](auto& r) { r.set_max_cells(0); },
      [](auto& r) { r.set_nodata_friction(-1); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    worker::v1::EngineRecipe message = RecipeToProto(Recipe());
    changes[i](message);
    EXPECT_THAT(RecipeFromProto(message), HasReason("TASK_UNDECODABLE")) << "change " << i;
  }
}

TEST(WorkCodec, GivesBackPaths) {
  worker::v1::Dispatch dispatch;
  WorkToProto(Paths2(), dispatch);
  ASSERT_OK_AND_ASSIGN(const TaskWork work, WorkFromProto(dispatch, kShape));
  const auto& paths = std::get<PathsWork>(work);
  ASSERT_EQ(paths.items.size(), 2u);
  EXPECT_EQ(paths.items[0].source.cell, 5);
  EXPECT_EQ(paths.items[0].source.start_cost, 1.5);
  EXPECT_THAT(paths.items[0].destinations, testing::ElementsAre(7, 199));
  EXPECT_EQ(paths.items[0].paths, Paths::kInclude);
}

TEST(WorkCodec, GivesBackFields) {
  FieldWork field;
  field.request.sources = {{.cell = 3, .start_cost = 2, .number = 9}, {.cell = 4}};
  field.request.destinations = {8};
  field.include_allocation = true;
  worker::v1::Dispatch dispatch;
  WorkToProto(field, dispatch);
  ASSERT_OK_AND_ASSIGN(const TaskWork work, WorkFromProto(dispatch, kShape));
  const auto& back = std::get<FieldWork>(work);
  ASSERT_EQ(back.request.sources.size(), 2u);
  EXPECT_EQ(back.request.sources[0].number, 9);
  EXPECT_EQ(back.request.sources[0].start_cost, 2);
  EXPECT_THAT(back.request.destinations, testing::ElementsAre(8));
  EXPECT_TRUE(back.include_allocation);
  EXPECT_FALSE(back.include_back_links);
}

TEST(WorkCodec, RefusesCellsOutsideAndListsThatDoNotFit) {
  const std::vector<std::function<void(worker::v1::Dispatch&)>> changes = {
      [](auto& d) { d.clear_task(); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->set_source_cell(200); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->set_source_cell(~uint64_t{0}); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->add_destination_cells(200); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->clear_destination_cells(); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->set_start_cost(-1); },
      [](auto& d) { d.mutable_paths()->mutable_items(0)->set_start_cost(kInfinity); },
      [](auto& d) { d.mutable_field(); },
      [](auto& d) { d.mutable_field()->add_source_cells(1); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    worker::v1::Dispatch dispatch;
    WorkToProto(Paths2(), dispatch);
    changes[i](dispatch);
    EXPECT_THAT(WorkFromProto(dispatch, kShape), HasReason("TASK_UNDECODABLE")) << "change " << i;
  }
}

TEST(AnswerCodec, GivesBackPathsWhereTheyWereAskedFor) {
  ASSERT_OK_AND_ASSIGN(
      const PathsAnswer answer,
      PathsAnswerFromProto(PathsAnswerToProto(Answer2(), Paths2()), Paths2(), kShape));
  ASSERT_EQ(answer.items.size(), 2u);
  EXPECT_EQ(answer.items[0].settled_cells, 11u);
  EXPECT_EQ(answer.items[0].pairs[0].path.steps, "\1\1");
  EXPECT_EQ(answer.items[0].pairs[1].outcome, Outcome::kUnreachable);
  EXPECT_TRUE(std::isnan(answer.items[0].pairs[1].cost));
  EXPECT_EQ(answer.items[1].pairs[0].cost, 0);
}

TEST(AnswerCodec, RefusesAnswersToOtherQuestions) {
  const std::vector<std::function<void(worker::v1::PathsResult&)>> changes = {
      [](auto& r) { r.add_items(); },
      [](auto& r) { r.mutable_items()->RemoveLast(); },
      [](auto& r) { r.mutable_items(0)->add_cost(1); },
      [](auto& r) { r.mutable_items(0)->mutable_length()->RemoveLast(); },
      [](auto& r) { r.mutable_items(0)->mutable_outcome()->RemoveLast(); },
      [](auto& r) { r.mutable_items(0)->clear_path(); },
      [](auto& r) { r.mutable_items(0)->set_outcome(0, static_cast<v1::Outcome>(99)); },
      [](auto& r) { r.mutable_items(0)->set_outcome(0, v1::OUTCOME_UNSPECIFIED); },
      [](auto& r) { r.mutable_items(0)->mutable_path(0)->set_start_cell(200); },
      [](auto& r) { r.mutable_items(0)->mutable_path(0)->set_steps("\x08"); },
      [](auto& r) { r.mutable_items(0)->mutable_path(0)->set_steps("\xff"); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    worker::v1::PathsResult result = PathsAnswerToProto(Answer2(), Paths2());
    changes[i](result);
    EXPECT_THAT(PathsAnswerFromProto(result, Paths2(), kShape), HasReason("PROTOCOL_ERROR"))
        << "change " << i;
  }
}

TEST(AnswerCodec, RefusesFieldsOfAnotherLayout) {
  FieldWork asked;
  asked.request.sources = {{.cell = 0}};
  asked.request.destinations = {5};
  asked.include_back_links = true;
  const FieldLayout layout = LayoutOf(asked, kShape);
  CostFieldSummary summary;
  summary.reached_cells = 7;
  summary.destinations.push_back(
      {.outcome = Outcome::kOk, .cost = 4, .length = std::nan(""), .path = {}});
  const worker::v1::FieldResult sound = FieldResultToProto(summary, layout);
  ASSERT_OK_AND_ASSIGN(const CostFieldSummary back, FieldSummaryFromProto(sound, asked, layout));
  EXPECT_EQ(back.reached_cells, 7u);
  EXPECT_EQ(back.destinations[0].cost, 4);

  const std::vector<std::function<void(worker::v1::FieldResult&)>> changes = {
      [](auto& r) { r.set_rows(20); },
      [](auto& r) { r.set_cols(0); },
      [](auto& r) { r.set_costs_offset(64); },
      [](auto& r) { r.set_back_links_offset(0); },
      [](auto& r) { r.set_allocation_offset(64); },
      [](auto& r) { r.set_size_bytes(~uint64_t{0}); },
      [](auto& r) { r.mutable_summary()->clear_stop_cause(); },
      [](auto& r) { r.mutable_summary()->set_stop_cause(static_cast<v1::StopCause>(9)); },
      [](auto& r) { r.mutable_summary()->clear_destination_costs(); },
      [](auto& r) { r.mutable_summary()->set_destination_outcomes(0, v1::OUTCOME_UNSPECIFIED); },
      [](auto& r) { r.clear_summary(); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    worker::v1::FieldResult result = sound;
    changes[i](result);
    EXPECT_THAT(FieldSummaryFromProto(result, asked, layout), HasReason("PROTOCOL_ERROR"))
        << "change " << i;
  }
}

TEST(FieldLayout, PartsAreAlignedAndDoNotOverlap) {
  const FieldLayout layout = PlanFieldLayout({3, 5}, FieldPart::kPresent, FieldPart::kPresent);
  EXPECT_EQ(layout.costs_offset_bytes, 0u);
  EXPECT_EQ(layout.back_links_offset_bytes, 128u);
  EXPECT_EQ(layout.allocation_offset_bytes, 192u);
  EXPECT_EQ(layout.size_bytes, 256u);
  const FieldLayout plain = PlanFieldLayout({3, 5}, FieldPart::kAbsent, FieldPart::kAbsent);
  EXPECT_EQ(plain.size_bytes, 128u);
}

TEST(StatusCodec, KeepsCodeReasonAndDetail) {
  const absl::Status status = CellLimitReached(10, 5);
  const absl::Status back = StatusFromProto(StatusToProto(status));
  EXPECT_EQ(back, status);
  worker::v1::TaskError liar;
  liar.set_code(0);
  EXPECT_EQ(StatusFromProto(liar).code(), absl::StatusCode::kInternal);
  liar.set_code(4711);
  EXPECT_EQ(StatusFromProto(liar).code(), absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace talweg::workers
