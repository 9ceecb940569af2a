// What the queries have in common once their options are understood.
#ifndef TALWEG_CLI_QUERY_RUN_H_
#define TALWEG_CLI_QUERY_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "query_options.h"
#include "reporter.h"
#include "surface_access.h"
#include "talweg/client/client.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/pair_answer.h"
#include "talweg/formats/provenance.h"

namespace talweg::cli {

// INVALID_VALUE when lengths would be in degrees, naming the choices.
absl::Status CheckUnits(const SurfaceAccess& access, const v1::Recipe& recipe);

// Adds a part of a header to what was received of it (v1::AnswerHeader::more).
void AppendHeader(const v1::AnswerHeader& part, v1::AnswerHeader& header);

// A header came whole: warns of its points and of what the server warns of.
void ReportHeader(const v1::AnswerHeader& header, Reporter& reporter);

// How the answer was made, for files and JSON.
formats::Provenance MakeProvenance(const SurfaceAccess& access, const v1::AnswerHeader& header);

// Shows progress and passes everything else on.
client::AnswerHandlers HandlersFor(v1::AnswerHeader& header, formats::PairAnswer& answer,
                                   Reporter& reporter);

client::CallOptions QueryCallOptions();

// Stages the picture of an answer.
absl::Status WriteAnswerPicture(const std::string& path, const SurfaceAccess& access,
                                const v1::AnswerHeader& header, const formats::PairAnswer& answer,
                                formats::OutputSet& outputs);

// Whether each pair's outcome is ok.
bool AllOk(const formats::PairAnswer& answer);

// Ids of a list of points.
std::vector<std::string> IdsOf(const v1::PointList& points);

}  // namespace talweg::cli

#endif  // TALWEG_CLI_QUERY_RUN_H_
