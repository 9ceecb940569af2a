#include "named_paths.h"

#include "talweg/base/status_macros.h"

namespace talweg::formats {

absl::Status ForEachPath(const PairAnswer& answer, const Shape& shape,
                         const std::function<absl::Status(const NamedPath&)>& visit) {
  for (size_t from = 0; from < answer.from_ids().size(); ++from) {
    for (size_t to = 0; to < answer.to_ids().size(); ++to) {
      const PairResult& pair = answer.at(from, to);
      if (pair.outcome != v1::OUTCOME_OK) continue;
      TALWEG_ASSIGN_OR_RETURN(const std::vector<Cell> cells, PathCells(pair.path, shape));
      TALWEG_RETURN_IF_ERROR(visit({answer.from_ids()[from], answer.to_ids()[to], pair, cells}));
    }
  }
  return absl::OkStatus();
}

}  // namespace talweg::formats
