#include "point_options.h"

#include "absl/strings/str_cat.h"
#include "option_values.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/point_reader.h"

namespace talweg::cli {
namespace {

// Points of one kind, named: 'a', 'b', 'c' and 4 more.
void WarnOf(const std::vector<std::string>& ids, size_t total, const std::string& what,
            const std::string& where, Reporter& reporter) {
  constexpr size_t kMaxNamed = 5;
  if (ids.empty()) return;
  std::string names;
  for (size_t i = 0; i < ids.size() && i < kMaxNamed; ++i) {
    absl::StrAppend(&names, i == 0 ? "" : ", ", "\"", ids[i], "\"");
  }
  if (ids.size() > kMaxNamed) absl::StrAppend(&names, " and ", ids.size() - kMaxNamed, " more");
  reporter.Warn(absl::StrCat(ids.size(), " of ", total, " ", what, total == 1 ? "" : "s",
                             ids.size() == 1 ? " is " : " are ", where, ": ", names));
}

}  // namespace

void PointOptions::AddTo(CLI::App& command, const std::string& prefix, const std::string& what) {
  // One callback per value, so that both options keep their common order.
  const auto add = [&](const std::string& option, const std::string& form,
                       const std::string& text) {
    command
        .add_option_function<std::vector<std::string>>(
            option,
            [this, option](const std::vector<std::string>& values) {
              for (const std::string& value : values) typed_.push_back({option, value});
            },
            what + " " + text + "; repeatable")
        ->option_text(form)
        ->allow_extra_args(false)
        ->trigger_on_parse()
        ->group("Points");
  };
  add("--" + prefix + "-cell", "R,C", "as row and column, from 0 at the top left");
  add("--" + prefix + "-xy", "X,Y",
      "in the coordinates of the surface (without a CRS or geotransform: cells from the top left "
      "corner)");
}

absl::StatusOr<v1::PointList> PointOptions::Parse() const {
  v1::PointList list;
  for (const Typed& typed : typed_) {
    v1::Point& point = *list.add_points();
    point.set_id(std::to_string(list.points_size() - 1));
    if (typed.option.ends_with("-cell")) {
      TALWEG_ASSIGN_OR_RETURN(const auto cell, ParseCell(typed.option, typed.value));
      point.mutable_cell()->set_row(cell.first);
      point.mutable_cell()->set_col(cell.second);
    } else {
      TALWEG_ASSIGN_OR_RETURN(
          const auto xy,
          ParsePair(typed.option, typed.value, "X,Y: two finite numbers, e.g. 444680,3971825"));
      point.mutable_xy()->set_x(xy.first);
      point.mutable_xy()->set_y(xy.second);
    }
  }
  return list;
}

absl::StatusOr<v1::PointList> ReadPointFile(const std::string& path, const v1::Crs& surface_crs,
                                            const std::string& id_field, Reporter& reporter) {
  TALWEG_ASSIGN_OR_RETURN(formats::PointInput input,
                          formats::ReadPoints(path, surface_crs, {.id_field = id_field}));
  for (const std::string& warning : input.warnings) reporter.Warn(warning);
  v1::PointList list;
  for (v1::Point& point : input.points) *list.add_points() = std::move(point);
  return list;
}

void ReportPoints(const google::protobuf::RepeatedPtrField<v1::PointReport>& reports,
                  const std::string& what, Reporter& reporter) {
  std::vector<std::string> outside;
  std::vector<std::string> impassable;
  for (const v1::PointReport& report : reports) {
    if (report.outcome() == v1::POINT_OUTCOME_OUTSIDE) outside.push_back(report.id());
    if (report.outcome() == v1::POINT_OUTCOME_IMPASSABLE) impassable.push_back(report.id());
  }
  const auto total = static_cast<size_t>(reports.size());
  WarnOf(outside, total, what, "outside the surface", reporter);
  WarnOf(impassable, total, what, "on impassable cells (--snap may help)", reporter);
}

}  // namespace talweg::cli
