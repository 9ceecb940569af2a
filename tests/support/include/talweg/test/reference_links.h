// Back-links and allocation straight from their definition, slow and plain: the
// reference for the rule that the kernels share.
#ifndef TALWEG_TEST_REFERENCE_LINKS_H_
#define TALWEG_TEST_REFERENCE_LINKS_H_

#include "talweg/search/oracle.h"

namespace talweg::test {

struct ReferenceLinks {
  Raster<StepCode> back_links;
  Raster<int32_t> allocation;
};

// `answer` is the oracle's for this recipe and request.
ReferenceLinks LinksByDefinition(const OracleAnswer& answer, const EngineRecipe& recipe,
                                 const SearchRequest& request);

}  // namespace talweg::test

#endif  // TALWEG_TEST_REFERENCE_LINKS_H_
