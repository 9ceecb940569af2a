#include "talweg/formats/matrix_writer.h"

#include <limits>

#include "number_text.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/npy.h"
#include "talweg/formats/output_format.h"

namespace talweg::formats {
namespace {

absl::Status WriteNpy(const PairAnswer& answer, StagedFile& file) {
  TALWEG_RETURN_IF_ERROR(
      file.Append(NpyHeaderBytes("<f8", {answer.from_ids().size(), answer.to_ids().size()})));
  std::vector<double> values;
  values.reserve(answer.pairs().size());
  for (const PairResult& pair : answer.pairs()) {
    values.push_back(pair.outcome == v1::OUTCOME_OK ? pair.cost
                     : IsBadPoint(pair.outcome)     ? std::numeric_limits<double>::quiet_NaN()
                                                    : std::numeric_limits<double>::infinity());
  }
  return file.Append(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

// One value of each pair as rows of a table.
template <class F>
Json Table(const PairAnswer& answer, F&& value) {
  Json rows = Json::array();
  for (size_t from = 0; from < answer.from_ids().size(); ++from) {
    Json row = Json::array();
    for (size_t to = 0; to < answer.to_ids().size(); ++to) {
      row.push_back(value(answer.at(from, to)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json NumberIfOk(const PairResult& pair, double number) {
  return pair.outcome == v1::OUTCOME_OK ? Json(number) : Json(nullptr);
}

}  // namespace

std::string MatrixCsv(const PairAnswer& answer) {
  std::string text = "from_id,to_id,cost,length,outcome\n";
  for (size_t from = 0; from < answer.from_ids().size(); ++from) {
    for (size_t to = 0; to < answer.to_ids().size(); ++to) {
      const PairResult& pair = answer.at(from, to);
      AppendCsvField(text, answer.from_ids()[from]);
      text += ',';
      AppendCsvField(text, answer.to_ids()[to]);
      text += ',';
      if (pair.outcome == v1::OUTCOME_OK) AppendNumber(text, pair.cost);
      text += ',';
      if (pair.outcome == v1::OUTCOME_OK) AppendNumber(text, pair.length);
      text += ',';
      text += OutcomeName(pair.outcome);
      text += '\n';
    }
  }
  return text;
}

Json MatrixJson(const PairAnswer& answer, const Provenance& provenance,
                const std::vector<std::string>& warnings) {
  Json json = ProvenanceToJson(provenance);
  json["from"] = answer.from_ids();
  json["to"] = answer.to_ids();
  json["cost"] = Table(answer, [](const PairResult& p) { return NumberIfOk(p, p.cost); });
  json["length"] = Table(answer, [](const PairResult& p) { return NumberIfOk(p, p.length); });
  json["outcome"] =
      Table(answer, [](const PairResult& p) { return Json(std::string(OutcomeName(p.outcome))); });
  json["warnings"] = warnings;
  return json;
}

absl::Status WriteMatrix(const std::string& path, const PairAnswer& answer,
                         const Provenance& provenance, const std::vector<std::string>& warnings,
                         OutputSet& outputs) {
  TALWEG_ASSIGN_OR_RETURN(const MatrixFormat format, MatrixFormatOf(path));
  StagedFile& file = outputs.Stage(path);
  switch (format) {
    case MatrixFormat::kJson:  // holds its own provenance
      return file.Append(MatrixJson(answer, provenance, warnings)
                             .dump(-1, ' ', false, Json::error_handler_t::replace) +
                         "\n");
    case MatrixFormat::kCsv:
      TALWEG_RETURN_IF_ERROR(file.Append(MatrixCsv(answer)));
      break;
    case MatrixFormat::kNpy:
      TALWEG_RETURN_IF_ERROR(WriteNpy(answer, file));
      break;
  }
  return WriteSidecar(path, provenance, outputs);
}

}  // namespace talweg::formats
