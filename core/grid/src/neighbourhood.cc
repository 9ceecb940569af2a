#include "talweg/grid/neighbourhood.h"

namespace talweg {

double MaxElongationPercent(Neighbourhood neighbourhood) {
  return neighbourhood == Neighbourhood::kFour ? 41.42 : 8.24;
}

StepLengthTable LengthsByCode(const StepLengths& lengths) {
  return {lengths.along_rows,  lengths.along_cols,  lengths.along_rows,  lengths.along_cols,
          lengths.diagonal_ne, lengths.diagonal_se, lengths.diagonal_ne, lengths.diagonal_se};
}

}  // namespace talweg
