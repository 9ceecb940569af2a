#include "talweg/formats/provenance.h"

#include "talweg/base/version.h"

namespace talweg::formats {
namespace {

Json Units(v1::LengthUnit units) {
  switch (units) {
    case v1::LENGTH_UNIT_CELLS:
      return "cells";
    case v1::LENGTH_UNIT_MAP:
      return "map";
    default:
      return nullptr;
  }
}

Json SnapToJson(const v1::Recipe& recipe) {
  if (!recipe.has_snap()) return "none";
  Json snap = Json::object();
  switch (recipe.snap().radius_case()) {
    case v1::Snap::kRadiusCells:
      snap["radius_cells"] = recipe.snap().radius_cells();
      break;
    case v1::Snap::kRadiusM:
      snap["radius_m"] = recipe.snap().radius_m();
      break;
    case v1::Snap::RADIUS_NOT_SET:
      break;
  }
  return snap;
}

Json Numbers(const google::protobuf::RepeatedField<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(value);
  return list;
}

}  // namespace

Json RecipeToJson(const v1::Recipe& recipe) {
  Json json = Json::object();
  json["surfaces"] = Json::array();
  for (const v1::SurfaceUse& use : recipe.surfaces()) {
    json["surfaces"].push_back(Json{{"role", "friction"}, {"surface", use.surface()}});
  }
  json["step"] = recipe.step_model_case() == v1::Recipe::kEntry ? "entry" : "mean";
  json["neighbourhood"] =
      recipe.neighbourhood() == v1::NEIGHBOURHOOD_UNSPECIFIED ? 8 : int{recipe.neighbourhood()};
  json["corners"] = "allow";
  json["units"] = Units(recipe.units());
  json["sampling"] = nullptr;
  if (recipe.has_sampling()) {
    json["sampling"] = Json{{"dy", recipe.sampling().dy()}, {"dx", recipe.sampling().dx()}};
  }
  json["direction"] = "from_sources";
  json["max_cost"] = nullptr;
  if (recipe.limits().has_max_cost()) json["max_cost"] = recipe.limits().max_cost();
  json["max_cells"] = nullptr;
  if (recipe.limits().has_max_cells()) json["max_cells"] = recipe.limits().max_cells();
  json["snap"] = SnapToJson(recipe);
  json["nodata"] = Numbers(recipe.nodata());
  json["nodata_friction"] = nullptr;
  if (recipe.has_nodata_friction()) json["nodata_friction"] = recipe.nodata_friction();
  json["barrier_values"] = Numbers(recipe.barrier_values());
  return json;
}

Json ProvenanceToJson(const Provenance& provenance) {
  return Json{{"talweg_version", std::string(Version())},
              {"surface", provenance.surface},
              {"revision", provenance.revision},
              {"recipe", provenance.recipe}};
}

std::vector<std::pair<std::string, std::string>> ProvenanceItems(const Provenance& provenance) {
  return {
      {"TALWEG_VERSION", std::string(Version())},
      {"TALWEG_SURFACE", provenance.surface},
      {"TALWEG_REVISION", provenance.revision},
      {"TALWEG_RECIPE", provenance.recipe.dump(-1, ' ', false, Json::error_handler_t::replace)}};
}

absl::Status WriteSidecar(const std::string& path, const Provenance& provenance,
                          OutputSet& outputs) {
  return outputs.Stage(path + ".json")
      .Append(ProvenanceToJson(provenance).dump(2, ' ', false, Json::error_handler_t::replace) +
              "\n");
}

}  // namespace talweg::formats
