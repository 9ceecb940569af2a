// Bad input of every kind through the real server: code, reason, field and
// valid range are said, nothing of the host is, and the server stays well.
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "requests.h"
#include "talweg/test/status_matchers.h"
#include "talweg/v1/path.grpc.pb.h"
#include "talweg/v1/server.grpc.pb.h"
#include "talweg/v1/surface.grpc.pb.h"
#include "test_server.h"
#include "wire_status.h"

namespace talweg::test {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// One server for all: what one bad request leaves behind would harm the next.
class Negatives : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = std::make_unique<TestServer>();
    ASSERT_THAT(Put(server_->client(), "a", Uniform({4, 5}, 1)), IsOk());
    CostSurface degrees = Uniform({4, 5}, 1);
    client::PutSurfaceRequest request;
    request.surface_id = "degrees";
    request.description = DescriptionOf(degrees);
    request.description.mutable_crs()->set_kind(v1::CRS_KIND_GEOGRAPHIC);
    request.description.mutable_crs()->set_name("WGS 84");
    request.cells = BytesOf(degrees);
    ASSERT_THAT(server_->client().PutSurface(request), IsOk());
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
    pids_ = server_->WorkerPids();
    pids_.push_back(server_->child().pid());
  }
  static void TearDownTestSuite() {
    // The same processes are still there, and the right answer is too.
    std::vector<pid_t> pids = server_->WorkerPids();
    pids.push_back(server_->child().pid());
    EXPECT_THAT(pids, testing::UnorderedElementsAreArray(pids_));
    v1::ComputeMatrixRequest request;
    *request.mutable_recipe() = RecipeOn("surfaces/a");
    *request.mutable_sources() = Cells({{0, 0}, {0, 3}});
    const auto answer = Matrix(server_->client(), request);
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ(answer->cost(0, 1), 3);
    channel_.reset();
    server_.reset();
  }

  struct Expected {
    grpc::StatusCode code = grpc::StatusCode::INVALID_ARGUMENT;
    std::string reason = "INVALID_VALUE";
    std::string field;
    std::string valid_range;  // a part of it
  };
  static void Check(const std::string& name, const grpc::Status& status, const Expected& expected) {
    SCOPED_TRACE(name);
    const WireStatus wire = ReadWireStatus(status);
    EXPECT_EQ(wire.code, expected.code) << wire.message;
    EXPECT_EQ(wire.reason, expected.reason) << wire.message;
    EXPECT_EQ(wire.domain, "talweg");
    EXPECT_EQ(wire.field, expected.field) << wire.message;
    EXPECT_THAT(wire.valid_range, HasSubstr(expected.valid_range));
    EXPECT_EQ(Leak(wire.message), "") << wire.message;
    for (const pid_t pid : pids_) {
      EXPECT_THAT(wire.message, Not(HasSubstr(std::to_string(pid)))) << wire.message;
    }
  }

  template <class Response>
  static grpc::Status Drain(std::unique_ptr<grpc::ClientReader<Response>> reader) {
    Response response;
    while (reader->Read(&response)) {
    }
    return reader->Finish();
  }
  static grpc::Status Call(const v1::FindRoutesRequest& request) {
    grpc::ClientContext context;
    return Drain(v1::PathService::NewStub(channel_)->FindRoutes(&context, request));
  }
  static grpc::Status Call(const v1::ComputeMatrixRequest& request) {
    grpc::ClientContext context;
    return Drain(v1::PathService::NewStub(channel_)->ComputeMatrix(&context, request));
  }
  static grpc::Status Call(const v1::ComputeCostFieldRequest& request) {
    grpc::ClientContext context;
    return Drain(v1::PathService::NewStub(channel_)->ComputeCostField(&context, request));
  }
  static std::unique_ptr<v1::SurfaceService::Stub> Surfaces() {
    return v1::SurfaceService::NewStub(channel_);
  }
  static grpc::Status Call(const v1::StartUploadRequest& request) {
    grpc::ClientContext context;
    v1::StartUploadResponse response;
    return Surfaces()->StartUpload(&context, request, &response);
  }

  static std::unique_ptr<TestServer> server_;
  static std::shared_ptr<grpc::Channel> channel_;
  static std::vector<pid_t> pids_;
};
std::unique_ptr<TestServer> Negatives::server_;
std::shared_ptr<grpc::Channel> Negatives::channel_;
std::vector<pid_t> Negatives::pids_;

// ---- Recipes: alike for the three calls --------------------------------------

template <class Request>
Request GoodRequest() {
  Request request;
  *request.mutable_recipe() = RecipeOn("surfaces/a");
  *request.mutable_sources() = Cells({{0, 0}});
  *request.mutable_destinations() = Cells({{3, 4}});
  return request;
}

struct BadRecipe {
  std::string name;
  std::function<void(v1::Recipe&)> spoil;
  grpc::StatusCode code;
  std::string reason;
  std::string field;
  std::string valid_range;
};

std::vector<BadRecipe> BadRecipes() {
  const auto invalid = grpc::StatusCode::INVALID_ARGUMENT;
  const auto not_found = grpc::StatusCode::NOT_FOUND;
  const auto exhausted = grpc::StatusCode::RESOURCE_EXHAUSTED;
  return {
      {"no surface", [](auto& r) { r.clear_surfaces(); }, invalid, "MISSING_FIELD",
       "recipe.surfaces", "exactly one"},
      {"two surfaces", [](auto& r) { r.add_surfaces()->set_surface("surfaces/a"); }, invalid,
       "INVALID_VALUE", "recipe.surfaces", "exactly one"},
      {"no name", [](auto& r) { r.mutable_surfaces(0)->clear_surface(); }, invalid, "MISSING_FIELD",
       "recipe.surfaces[0].surface", "surfaces/{id}"},
      {"unknown role",
       [](auto& r) { r.mutable_surfaces(0)->set_role(static_cast<v1::SurfaceRole>(7)); }, invalid,
       "INVALID_VALUE", "recipe.surfaces[0].role", "SURFACE_ROLE_FRICTION"},
      {"unknown surface", [](auto& r) { r.mutable_surfaces(0)->set_surface("surfaces/b"); },
       not_found, "SURFACE_NOT_FOUND", "recipe.surfaces[0].surface", "stored surface"},
      {"unknown revision",
       [](auto& r) { r.mutable_surfaces(0)->set_surface("surfaces/a@0123456789abcdef"); },
       not_found, "REVISION_NOT_FOUND", "recipe.surfaces[0].surface", ""},
      {"unknown neighbourhood",
       [](auto& r) { r.set_neighbourhood(static_cast<v1::Neighbourhood>(6)); }, invalid,
       "INVALID_VALUE", "recipe.neighbourhood", "NEIGHBOURHOOD_4 or NEIGHBOURHOOD_8"},
      {"unknown corners", [](auto& r) { r.set_corners(static_cast<v1::Corners>(99)); }, invalid,
       "INVALID_VALUE", "recipe.corners", "CORNERS_ALLOW"},
      {"unknown units", [](auto& r) { r.set_units(static_cast<v1::LengthUnit>(-1)); }, invalid,
       "INVALID_VALUE", "recipe.units", "LENGTH_UNIT_CELLS"},
      {"unknown direction", [](auto& r) { r.set_direction(static_cast<v1::Direction>(2)); },
       invalid, "INVALID_VALUE", "recipe.direction", "DIRECTION_FROM_SOURCES"},
      {"degrees", [](auto& r) { r.mutable_surfaces(0)->set_surface("surfaces/degrees"); }, invalid,
       "GEOGRAPHIC_UNITS", "recipe.units", "cells"},
      {"sampling unset", [](auto& r) { r.mutable_sampling(); }, invalid, "INVALID_VALUE",
       "recipe.sampling.dy", "> 0"},
      {"sampling negative",
       [](auto& r) {
         r.mutable_sampling()->set_dy(1);
         r.mutable_sampling()->set_dx(-1);
       },
       invalid, "INVALID_VALUE", "recipe.sampling.dx", "> 0"},
      {"sampling infinite", [](auto& r) { r.mutable_sampling()->set_dy(kInf); }, invalid,
       "INVALID_VALUE", "recipe.sampling.dy", "finite"},
      {"sampling too large",
       [](auto& r) {
         r.mutable_sampling()->set_dy(1e300);
         r.mutable_sampling()->set_dx(1e300);
       },
       invalid, "INVALID_VALUE", "recipe.sampling", "1e150"},
      {"map units with a sampling",
       [](auto& r) {
         r.set_units(v1::LENGTH_UNIT_MAP);
         r.mutable_sampling()->set_dy(1);
         r.mutable_sampling()->set_dx(1);
       },
       invalid, "INVALID_VALUE", "recipe.units", "LENGTH_UNIT_CELLS"},
      {"max_cost NaN", [](auto& r) { r.mutable_limits()->set_max_cost(kNaN); }, invalid,
       "INVALID_VALUE", "recipe.limits.max_cost", ">= 0"},
      {"max_cost negative", [](auto& r) { r.mutable_limits()->set_max_cost(-0.5); }, invalid,
       "INVALID_VALUE", "recipe.limits.max_cost", ">= 0"},
      {"max_cells zero", [](auto& r) { r.mutable_limits()->set_max_cells(0); }, invalid,
       "INVALID_VALUE", "recipe.limits.max_cells", ">= 1"},
      {"snap unset", [](auto& r) { r.mutable_snap(); }, invalid, "MISSING_FIELD",
       "recipe.snap.radius", "radius_cells or radius_m"},
      {"snap negative", [](auto& r) { r.mutable_snap()->set_radius_cells(-1); }, invalid,
       "INVALID_VALUE", "recipe.snap.radius_cells", ">= 0"},
      {"snap NaN", [](auto& r) { r.mutable_snap()->set_radius_m(kNaN); }, invalid, "INVALID_VALUE",
       "recipe.snap.radius_m", ">= 0"},
      {"snap in metres without a CRS", [](auto& r) { r.mutable_snap()->set_radius_m(3); }, invalid,
       "INVALID_VALUE", "recipe.snap.radius_m", "radius_cells"},
      {"snap too far", [](auto& r) { r.mutable_snap()->set_radius_cells(1001); }, exhausted,
       "LIMIT_EXCEEDED", "max_snap_radius_cells", "1000"},
      {"nodata_friction NaN", [](auto& r) { r.set_nodata_friction(kNaN); }, invalid,
       "INVALID_VALUE", "recipe.nodata_friction", ">= 0"},
      {"nodata_friction negative", [](auto& r) { r.set_nodata_friction(-3); }, invalid,
       "INVALID_VALUE", "recipe.nodata_friction", ">= 0"},
      {"barrier NaN", [](auto& r) { r.add_barrier_values(kNaN); }, invalid, "INVALID_VALUE",
       "recipe.barrier_values[0]", "a number"},
      {"too many nodata values",
       [](auto& r) {
         for (int i = 0; i < 257; ++i) r.add_nodata(i);
       },
       exhausted, "LIMIT_EXCEEDED", "max_values", "256"},
  };
}

TEST_F(Negatives, BadRecipesAreNamedByEveryPathCall) {
  for (const BadRecipe& bad : BadRecipes()) {
    const Expected expected{
        .code = bad.code, .reason = bad.reason, .field = bad.field, .valid_range = bad.valid_range};
    auto routes = GoodRequest<v1::FindRoutesRequest>();
    bad.spoil(*routes.mutable_recipe());
    Check("routes: " + bad.name, Call(routes), expected);
    auto matrix = GoodRequest<v1::ComputeMatrixRequest>();
    bad.spoil(*matrix.mutable_recipe());
    Check("matrix: " + bad.name, Call(matrix), expected);
    auto field = GoodRequest<v1::ComputeCostFieldRequest>();
    bad.spoil(*field.mutable_recipe());
    Check("field: " + bad.name, Call(field), expected);
  }
}

TEST_F(Negatives, NoRecipeAtAllIsAMissingSurface) {
  const Expected expected{
      .reason = "MISSING_FIELD", .field = "recipe.surfaces", .valid_range = "exactly one"};
  Check("routes", Call(v1::FindRoutesRequest()), expected);
  Check("matrix", Call(v1::ComputeMatrixRequest()), expected);
  Check("field", Call(v1::ComputeCostFieldRequest()), expected);
}

TEST_F(Negatives, MalformedSurfaceNamesAreRefused) {
  for (const std::string& surface :
       {std::string("a"), std::string("surfaces/"), std::string("surfaces/../a"),
        std::string("surfaces/%2e%2e"), std::string("/surfaces/a"), std::string("surfaces/a/b"),
        std::string("surfaces/A"), std::string("surfaces/a@"), std::string("surfaces/a@xyz"),
        std::string("surfaces/-a"), "surfaces/" + std::string(64, 'a'),
        "surfaces/" + std::string(10'000, 'a'), std::string("surfaces/a\0b", 12)}) {
    auto request = GoodRequest<v1::FindRoutesRequest>();
    request.mutable_recipe()->mutable_surfaces(0)->set_surface(surface);
    const WireStatus wire = ReadWireStatus(Call(request));
    EXPECT_THAT(wire.reason, testing::AnyOf("INVALID_VALUE", "REVISION_NOT_FOUND")) << surface;
    EXPECT_THAT(wire.field, HasSubstr("recipe.surfaces[0]")) << surface;
    EXPECT_EQ(Leak(wire.message), "");
  }
}

// ---- Points: alike for every list ----------------------------------------------

struct BadPoint {
  std::string name;
  std::function<void(v1::PointList&)> spoil;
  std::string reason;
  std::string field;  // below the list
  std::string valid_range;
};

std::vector<BadPoint> BadPoints() {
  const auto point = [](auto change) {
    return [change](v1::PointList& list) { change(*list.mutable_points(0)); };
  };
  return {
      {"empty list", [](auto& list) { list.clear_points(); }, "EMPTY_LIST", "", "at least one"},
      {"no position", point([](auto& p) { p.clear_position(); }), "MISSING_FIELD",
       ".points[0].position", "cell or xy"},
      {"x NaN", point([](auto& p) { p.mutable_xy()->set_x(kNaN); }), "INVALID_VALUE",
       ".points[0].xy.x", "finite"},
      {"y infinite", point([](auto& p) { p.mutable_xy()->set_y(-kInf); }), "INVALID_VALUE",
       ".points[0].xy.y", "finite"},
      {"start cost negative", point([](auto& p) { p.set_start_cost(-1); }), "INVALID_VALUE",
       ".points[0].start_cost", ">= 0"},
      {"start cost NaN", point([](auto& p) { p.set_start_cost(kNaN); }), "INVALID_VALUE",
       ".points[0].start_cost", ">= 0"},
      {"start cost infinite", point([](auto& p) { p.set_start_cost(kInf); }), "INVALID_VALUE",
       ".points[0].start_cost", "finite"},
      {"long id", point([](auto& p) { p.set_id(std::string(257, 'x')); }), "INVALID_VALUE",
       ".points[0].id", "256"},
  };
}

TEST_F(Negatives, BadPointsAreNamedInEveryList) {
  for (const BadPoint& bad : BadPoints()) {
    const auto expected = [&](const std::string& list) {
      return Expected{
          .reason = bad.reason, .field = list + bad.field, .valid_range = bad.valid_range};
    };
    const auto spoil_both = [&](auto request) {
      auto other = request;
      bad.spoil(*request.mutable_sources());
      Check("sources: " + bad.name, Call(request), expected("sources"));
      bad.spoil(*other.mutable_destinations());
      Check("destinations: " + bad.name, Call(other), expected("destinations"));
    };
    spoil_both(GoodRequest<v1::FindRoutesRequest>());
    spoil_both(GoodRequest<v1::ComputeMatrixRequest>());
    spoil_both(GoodRequest<v1::ComputeCostFieldRequest>());
  }
}

TEST_F(Negatives, AbsentListsAreNoEmptyLists) {
  auto routes = GoodRequest<v1::FindRoutesRequest>();
  routes.clear_destinations();
  Check("routes", Call(routes),
        {.reason = "MISSING_FIELD", .field = "destinations", .valid_range = "at least one"});
  routes.clear_sources();
  Check("routes", Call(routes),
        {.reason = "MISSING_FIELD", .field = "sources", .valid_range = "at least one"});
  auto matrix = GoodRequest<v1::ComputeMatrixRequest>();
  matrix.clear_sources();
  Check("matrix", Call(matrix),
        {.reason = "MISSING_FIELD", .field = "sources", .valid_range = "at least one"});
  auto field = GoodRequest<v1::ComputeCostFieldRequest>();
  field.clear_sources();
  Check("field", Call(field),
        {.reason = "MISSING_FIELD", .field = "sources", .valid_range = "at least one"});
  // Absent where that has a meaning:
  matrix = GoodRequest<v1::ComputeMatrixRequest>();
  matrix.clear_destinations();
  EXPECT_TRUE(Call(matrix).ok());
  field = GoodRequest<v1::ComputeCostFieldRequest>();
  field.clear_destinations();
  EXPECT_TRUE(Call(field).ok());
}

TEST_F(Negatives, LongRequestIdsAreRefused) {
  const Expected expected{.field = "request_id", .valid_range = "128"};
  const auto with_id = [](auto request) {
    request.set_request_id(std::string(129, 'x'));
    return request;
  };
  Check("routes", Call(with_id(GoodRequest<v1::FindRoutesRequest>())), expected);
  Check("matrix", Call(with_id(GoodRequest<v1::ComputeMatrixRequest>())), expected);
  Check("field", Call(with_id(GoodRequest<v1::ComputeCostFieldRequest>())), expected);
}

TEST_F(Negatives, PairsOutOfRangeAreNamed) {
  auto request = GoodRequest<v1::FindRoutesRequest>();
  request.add_pairs();
  request.add_pairs()->set_source(1);
  Check("source", Call(request), {.field = "pairs[1].source", .valid_range = "below 1"});
  request.mutable_pairs(1)->set_source(0);
  request.mutable_pairs(1)->set_destination(4'000'000'000);
  Check("destination", Call(request), {.field = "pairs[1].destination", .valid_range = "below 1"});
}

TEST_F(Negatives, SymmetricNeedsItsOwnPointsAndNoStartCosts) {
  auto request = GoodRequest<v1::ComputeMatrixRequest>();
  request.set_symmetric(true);
  Check("destinations", Call(request), {.field = "symmetric", .valid_range = "false"});
  request.clear_destinations();
  request.mutable_sources()->mutable_points(0)->set_start_cost(2);
  Check("start cost", Call(request), {.field = "sources.points[0].start_cost", .valid_range = "0"});
}

TEST_F(Negatives, ProductsAreLimitedThoughEachFactorIsNot) {
  auto matrix = GoodRequest<v1::ComputeMatrixRequest>();
  *matrix.mutable_sources() = Cells(std::vector<std::pair<int64_t, int64_t>>(4000, {0, 0}));
  *matrix.mutable_destinations() = matrix.sources();
  const Expected limit{.code = grpc::StatusCode::RESOURCE_EXHAUSTED,
                       .reason = "LIMIT_EXCEEDED",
                       .field = "max_pairs",
                       .valid_range = "10000000"};
  Check("matrix", Call(matrix), limit);
  auto routes = GoodRequest<v1::FindRoutesRequest>();
  *routes.mutable_sources() = matrix.sources();
  *routes.mutable_destinations() = matrix.sources();
  Check("routes", Call(routes),
        {.code = limit.code,
         .reason = limit.reason,
         .field = "max_routes",
         .valid_range = "1000000"});
  auto field = GoodRequest<v1::ComputeCostFieldRequest>();
  *field.mutable_sources() = Cells(std::vector<std::pair<int64_t, int64_t>>(100'001, {0, 0}));
  Check(
      "field", Call(field),
      {.code = limit.code, .reason = limit.reason, .field = "max_points", .valid_range = "100000"});
  auto snap = GoodRequest<v1::ComputeCostFieldRequest>();
  *snap.mutable_sources() = Cells(std::vector<std::pair<int64_t, int64_t>>(10'000, {0, 0}));
  snap.mutable_recipe()->mutable_snap()->set_radius_cells(1000);
  Check("snap", Call(snap),
        {.code = limit.code,
         .reason = limit.reason,
         .field = "max_snap_cells",
         .valid_range = "10000000000"});
}

// ---- Surfaces --------------------------------------------------------------------

v1::StartUploadRequest GoodStart() {
  v1::StartUploadRequest request;
  request.set_surface_id("new");
  request.mutable_description()->set_value_type(v1::VALUE_TYPE_UINT8);
  request.mutable_description()->set_rows(2);
  request.mutable_description()->set_cols(2);
  return request;
}

struct BadStart {
  std::string name;
  std::function<void(v1::StartUploadRequest&)> spoil;
  grpc::StatusCode code;
  std::string reason;
  std::string field;
  std::string valid_range;
};

std::vector<BadStart> BadStarts() {
  const auto invalid = grpc::StatusCode::INVALID_ARGUMENT;
  const auto exhausted = grpc::StatusCode::RESOURCE_EXHAUSTED;
  const auto shape = [](uint64_t rows, uint64_t cols) {
    return [=](v1::StartUploadRequest& r) {
      r.mutable_description()->set_rows(rows);
      r.mutable_description()->set_cols(cols);
    };
  };
  const auto id = [](std::string text) {
    return [=](v1::StartUploadRequest& r) { r.set_surface_id(text); };
  };
  const auto crs = [](auto change) {
    return [=](v1::StartUploadRequest& r) { change(*r.mutable_description()->mutable_crs()); };
  };
  const auto geotransform = [](std::vector<double> numbers) {
    return [=](v1::StartUploadRequest& r) {
      r.mutable_description()->mutable_geotransform()->Add(numbers.begin(), numbers.end());
    };
  };
  constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
  return {
      {"no id", id(""), invalid, "MISSING_FIELD", "surface_id", "a-z, 0-9"},
      {"path-like id", id("../etc"), invalid, "INVALID_VALUE", "surface_id", "a-z, 0-9"},
      {"upper case id", id("New"), invalid, "INVALID_VALUE", "surface_id", "a-z, 0-9"},
      {"id ends in a dash", id("new-"), invalid, "INVALID_VALUE", "surface_id", "a-z, 0-9"},
      {"id of 64", id(std::string(64, 'a')), invalid, "INVALID_VALUE", "surface_id", "a-z, 0-9"},
      {"id of 10 kB", id(std::string(10'000, 'a')), invalid, "INVALID_VALUE", "surface_id",
       "a-z, 0-9"},
      {"no description", [](auto& r) { r.clear_description(); }, invalid, "MISSING_FIELD",
       "description", "value_type"},
      {"no type", [](auto& r) { r.mutable_description()->clear_value_type(); }, invalid,
       "MISSING_FIELD", "description.value_type", "VALUE_TYPE_UINT8"},
      {"unknown type",
       [](auto& r) { r.mutable_description()->set_value_type(static_cast<v1::ValueType>(9)); },
       invalid, "INVALID_VALUE", "description.value_type", "VALUE_TYPE_UINT8"},
      {"0 x 2", shape(0, 2), invalid, "SHAPE_OUT_OF_RANGE", "description.rows x cols", "rows >= 1"},
      {"2 x 0", shape(2, 0), invalid, "SHAPE_OUT_OF_RANGE", "description.rows x cols", "cols >= 1"},
      {"product over 32 bits", shape(70'000, 70'000), invalid, "SHAPE_OUT_OF_RANGE",
       "description.rows x cols", "4000000000"},
      {"product over 64 bits", shape(uint64_t{1} << 33, uint64_t{1} << 33), invalid,
       "SHAPE_OUT_OF_RANGE", "description.rows x cols", "4000000000"},
      {"-1 x -1", shape(kHuge, kHuge), invalid, "SHAPE_OUT_OF_RANGE", "description.rows x cols",
       "4000000000"},
      {"five numbers", geotransform({0, 1, 0, 0, 0}), invalid, "INVALID_VALUE",
       "description.geotransform", "six numbers"},
      {"NaN in the geotransform", geotransform({0, 1, 0, 0, 0, kNaN}), invalid,
       "SINGULAR_GEOTRANSFORM", "description.geotransform", "gt1 * gt5"},
      {"singular geotransform", geotransform({0, 1, 2, 0, 2, 4}), invalid, "SINGULAR_GEOTRANSFORM",
       "description.geotransform", "gt1 * gt5"},
      {"unknown CRS kind", crs([](auto& c) { c.set_kind(static_cast<v1::CrsKind>(17)); }), invalid,
       "INVALID_VALUE", "description.crs.kind", "CRS_KIND_NONE"},
      {"long WKT", crs([](auto& c) { c.set_wkt(std::string(65'537, 'x')); }), invalid,
       "INVALID_VALUE", "description.crs.wkt", "65536"},
      {"long CRS name", crs([](auto& c) { c.set_name(std::string(2000, 'x')); }), invalid,
       "INVALID_VALUE", "description.crs.name", "1024"},
      {"negative unit", crs([](auto& c) { c.set_linear_unit_m(-1); }), invalid, "INVALID_VALUE",
       "description.crs.linear_unit_m", ">= 0"},
      {"axis NaN", crs([](auto& c) { c.set_semi_major_axis_m(kNaN); }), invalid, "INVALID_VALUE",
       "description.crs.semi_major_axis_m", ">= 0"},
      {"flattening infinite", crs([](auto& c) { c.set_inverse_flattening(kInf); }), invalid,
       "INVALID_VALUE", "description.crs.inverse_flattening", ">= 0"},
      {"unknown policy",
       [](auto& r) { r.mutable_description()->set_negative(static_cast<v1::NegativePolicy>(3)); },
       invalid, "INVALID_VALUE", "description.negative", "NEGATIVE_POLICY_BARRIER"},
      {"many labels",
       [](auto& r) {
         for (int i = 0; i < 65; ++i) {
           (*r.mutable_description()->mutable_labels())[std::to_string(i)] = "";
         }
       },
       exhausted, "LIMIT_EXCEEDED", "max_labels", "64"},
      {"long label",
       [](auto& r) {
         (*r.mutable_description()->mutable_labels())["key"] = std::string(4096, 'x');
       },
       exhausted, "LIMIT_EXCEEDED", "max_labels_bytes", "4096"},
      {"many nodata values",
       [](auto& r) {
         for (int i = 0; i < 257; ++i) r.mutable_description()->add_nodata(i);
       },
       exhausted, "LIMIT_EXCEEDED", "max_values", "256"},
      {"long request_id", [](auto& r) { r.set_request_id(std::string(129, 'x')); }, invalid,
       "INVALID_VALUE", "request_id", "128"},
      {"exists", [](auto& r) { r.set_surface_id("a"), r.set_create_only(true); },
       grpc::StatusCode::ALREADY_EXISTS, "SURFACE_EXISTS", "surface", "create_only"},
  };
}

TEST_F(Negatives, BadDescriptionsAreNamed) {
  for (const BadStart& bad : BadStarts()) {
    v1::StartUploadRequest request = GoodStart();
    bad.spoil(request);
    Check(bad.name, Call(request),
          {.code = bad.code,
           .reason = bad.reason,
           .field = bad.field,
           .valid_range = bad.valid_range});
  }
}

TEST_F(Negatives, UploadCallsNeedTheirUpload) {
  const Expected missing{
      .reason = "MISSING_FIELD", .field = "upload_id", .valid_range = "StartUpload"};
  const Expected unknown{.code = grpc::StatusCode::NOT_FOUND,
                         .reason = "UPLOAD_NOT_FOUND",
                         .field = "upload_id",
                         .valid_range = "StartUpload"};
  for (const std::string& id : {std::string(), std::string("no-such-upload")}) {
    const Expected& expected = id.empty() ? missing : unknown;
    {
      grpc::ClientContext context;
      v1::QueryUploadRequest request;
      request.set_upload_id(id);
      v1::QueryUploadResponse response;
      Check("query", Surfaces()->QueryUpload(&context, request, &response), expected);
    }
    {
      grpc::ClientContext context;
      v1::FinishUploadRequest request;
      request.set_upload_id(id);
      request.set_xxh3_128(std::string(16, 'x'));
      v1::Surface response;
      Check("finish", Surfaces()->FinishUpload(&context, request, &response), expected);
    }
    {
      grpc::ClientContext context;
      v1::WriteUploadResponse response;
      const auto writer = Surfaces()->WriteUpload(&context, &response);
      v1::WriteUploadRequest chunk;
      chunk.set_upload_id(id);
      chunk.set_data("x");
      writer->Write(chunk);
      writer->WritesDone();
      Check("write", writer->Finish(), expected);
    }
  }
  grpc::ClientContext context;
  v1::WriteUploadResponse response;
  const auto writer = Surfaces()->WriteUpload(&context, &response);
  writer->WritesDone();
  Check("empty stream", writer->Finish(), missing);
}

TEST_F(Negatives, ChecksumsHaveTheirLength) {
  v1::StartUploadResponse started;
  {
    grpc::ClientContext context;
    ASSERT_TRUE(Surfaces()->StartUpload(&context, GoodStart(), &started).ok());
  }
  const auto finish = [&](auto set) {
    grpc::ClientContext context;
    v1::FinishUploadRequest request;
    request.set_upload_id(started.upload_id());
    set(request);
    v1::Surface response;
    return Surfaces()->FinishUpload(&context, request, &response);
  };
  Check("none", finish([](auto&) {}),
        {.reason = "MISSING_FIELD", .field = "checksum", .valid_range = "xxh3_128"});
  Check("short xxh3", finish([](auto& r) { r.set_xxh3_128("short"); }),
        {.field = "xxh3_128", .valid_range = "16 bytes"});
  Check("long sha256", finish([](auto& r) { r.set_sha256(std::string(33, 'x')); }),
        {.field = "sha256", .valid_range = "32 bytes"});
}

TEST_F(Negatives, SurfaceLookupsNeedAName) {
  const auto get = [](const std::string& name) {
    grpc::ClientContext context;
    v1::GetSurfaceRequest request;
    request.set_name(name);
    v1::Surface response;
    return Surfaces()->GetSurface(&context, request, &response);
  };
  const auto remove = [](const std::string& name) {
    grpc::ClientContext context;
    v1::DeleteSurfaceRequest request;
    request.set_name(name);
    v1::DeleteSurfaceResponse response;
    return Surfaces()->DeleteSurface(&context, request, &response);
  };
  const Expected missing{
      .reason = "MISSING_FIELD", .field = "name", .valid_range = "surfaces/{id}"};
  Check("get", get(""), missing);
  Check("delete", remove(""), missing);
  const Expected unknown{.code = grpc::StatusCode::NOT_FOUND,
                         .reason = "SURFACE_NOT_FOUND",
                         .field = "surface",
                         .valid_range = "stored surface"};
  Check("get", get("surfaces/none"), unknown);
  Check("delete", remove("surfaces/none"), unknown);
}

// ---- The protocol itself -----------------------------------------------------------

TEST_F(Negatives, AMessageOfOneByteOverTheLimitIsRefused) {
  // Filled up by a field of a newer client, which is no error by itself.
  constexpr size_t kLimit = 4 * 1024 * 1024;
  const auto request_of = [](size_t filling) {
    auto request = GoodRequest<v1::ComputeMatrixRequest>();
    request.GetReflection()->MutableUnknownFields(&request)->AddLengthDelimited(
        1000, std::string(filling, 'x'));
    return request;
  };
  const size_t filling = kLimit - (request_of(kLimit).ByteSizeLong() - kLimit);
  ASSERT_EQ(request_of(filling).ByteSizeLong(), kLimit);
  EXPECT_TRUE(Call(request_of(filling)).ok());
  const grpc::Status status = Call(request_of(filling + 1));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(Leak(status.error_message()), "");
}

TEST_F(Negatives, CompressedMessagesAreRefused) {
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  auto request = GoodRequest<v1::ComputeMatrixRequest>();
  *request.mutable_sources() = Cells(std::vector<std::pair<int64_t, int64_t>>(1000, {1, 1}));
  const grpc::Status status =
      Drain(v1::PathService::NewStub(channel_)->ComputeMatrix(&context, request));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(Negatives, ADeadlineThatHasPassedDoesNoWork) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() - std::chrono::seconds(1));
  const grpc::Status status = Drain(v1::PathService::NewStub(channel_)->ComputeMatrix(
      &context, GoodRequest<v1::ComputeMatrixRequest>()));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

}  // namespace
}  // namespace talweg::test
