#include "png.h"

#include "gdal_support.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {

absl::Status WritePng(Canvas& canvas, StagedFile& file) {
  UseGdal();
  const GdalMessages messages;
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  GDALDriver* png = GetGDALDriverManager()->GetDriverByName("PNG");
  if (memory == nullptr || png == nullptr) {
    return WriteFailed(file.path(), "this GDAL has no PNG driver");
  }
  const int width = canvas.width();
  const int height = canvas.height();
  const GdalDataset image(memory->Create("", width, height, 3, GDT_Byte, nullptr));
  if (!image) return WriteFailed(file.path(), messages.LastError("out of memory"));
  CPLErr error = image->RasterIO(GF_Write, 0, 0, width, height, canvas.bytes().data(), width,
                                 height, GDT_Byte, 3, nullptr, 3, 3 * width, 1, nullptr);
  if (error != CE_None) return WriteFailed(file.path(), messages.LastError("out of memory"));
  GdalDataset copy(png->CreateCopy(file.temporary_path().c_str(), image.get(), FALSE, nullptr,
                                   nullptr, nullptr));
  if (!copy) return WriteFailed(file.path(), messages.LastError("it cannot be created"));
  copy.reset();
  const std::string problem = messages.LastError("");
  return problem.empty() ? absl::OkStatus() : WriteFailed(file.path(), problem);
}

}  // namespace talweg::formats
