// Cost matrices out.
#ifndef TALWEG_FORMATS_MATRIX_WRITER_H_
#define TALWEG_FORMATS_MATRIX_WRITER_H_

#include <string>

#include "absl/status/status.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/pair_answer.h"
#include "talweg/formats/provenance.h"

namespace talweg::formats {

// Long form, row-major, the diagonal included:
//   from_id,to_id,cost,length,outcome
// 17 significant digits; cost and length are empty where the outcome is not ok.
std::string MatrixCsv(const PairAnswer& answer);

// {"talweg_version", "surface", "revision", "recipe", "from": [ids], "to": [ids],
//  "cost": [[...]], "length": [[...]], "outcome": [[...]], "warnings": [...]};
// null where there is no number.
Json MatrixJson(const PairAnswer& answer, const Provenance& provenance,
                const std::vector<std::string>& warnings);

// Stages the matrix in the format of its extension, with a sidecar where the
// format has no place for provenance. .npy: float64 [from, to], +inf where
// there is no route, NaN where one of the two points is bad.
absl::Status WriteMatrix(const std::string& path, const PairAnswer& answer,
                         const Provenance& provenance, const std::vector<std::string>& warnings,
                         OutputSet& outputs);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_MATRIX_WRITER_H_
