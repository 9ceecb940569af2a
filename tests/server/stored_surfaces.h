// Surfaces in shared memory, for tests.
#ifndef TALWEG_TESTS_SERVER_STORED_SURFACES_H_
#define TALWEG_TESTS_SERVER_STORED_SURFACES_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "talweg/cost/cost_surface.h"
#include "talweg/store/shared_cost_surface.h"
#include "talweg/store/store.h"

namespace talweg::test {

using SurfacePtr = std::shared_ptr<const store::SharedCostSurface>;

// The cells as they are sent.
std::string CellBytes(const CostSurface& surface);

// Seals a surface without a store.
SurfacePtr StoreSurface(const CostSurface& surface);

// A surface of float64, every cell of the given friction.
CostSurface ConstantSurface(Shape shape, double friction);

store::UploadChecksum Xxh3Of(std::string_view cells);

// The whole upload of a surface; the test fails where a step does.
SurfacePtr Upload(store::Store& store, const std::string& id, const CostSurface& surface);

}  // namespace talweg::test

#endif  // TALWEG_TESTS_SERVER_STORED_SURFACES_H_
