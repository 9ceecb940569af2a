#include "stored_surfaces.h"

#include "talweg/store/checksum.h"
#include "talweg/store/surface_builder.h"
#include "talweg/test/status_matchers.h"

namespace talweg::test {

std::string CellBytes(const CostSurface& surface) {
  return {static_cast<const char*>(surface.view().data()),
          static_cast<size_t>(surface.description().size_bytes())};
}

SurfacePtr StoreSurface(const CostSurface& surface) {
  auto builder = store::SurfaceBuilder::Create(surface.description());
  EXPECT_THAT(builder, IsOk());
  if (!builder.ok()) return nullptr;
  builder->Append(CellBytes(surface));
  auto sealed = std::move(*builder).Seal("surfaces/test");
  EXPECT_THAT(sealed, IsOk());
  return sealed.ok() ? *sealed : nullptr;
}

CostSurface ConstantSurface(Shape shape, double friction) {
  return CostSurface(Raster<double>(shape, friction));
}

store::UploadChecksum Xxh3Of(std::string_view cells) {
  const store::Digest128 digest = store::Xxh3(std::as_bytes(std::span(cells)));
  return {.xxh3_128 = std::string(store::AsBytes(digest)), .sha256 = ""};
}

SurfacePtr Upload(store::Store& store, const std::string& id, const CostSurface& surface) {
  const std::string cells = CellBytes(surface);
  store::StartUploadRequest request;
  request.surface_id = id;
  request.description = surface.description();
  const auto started = store.StartUpload(request);
  EXPECT_THAT(started, IsOk());
  if (!started.ok()) return nullptr;
  EXPECT_THAT(store.WriteUpload(started->upload_id, 0, cells, store::Crc32(cells)), IsOk());
  const auto finished = store.FinishUpload(started->upload_id, Xxh3Of(cells));
  EXPECT_THAT(finished, IsOk());
  return finished.ok() ? *finished : nullptr;
}

}  // namespace talweg::test
