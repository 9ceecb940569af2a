#include "talweg/formats/raster_writer.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "crs.h"
#include "gdal_support.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/formats/npy.h"
#include "talweg/formats/output_format.h"

namespace talweg::formats {
namespace {

static_assert(std::endian::native == std::endian::little,
              "cells are written as they lie in memory");

struct CellTypeTraits {
  const char* npy_descr;
  GDALDataType gdal_type;
  size_t bytes;
};

CellTypeTraits TraitsOf(CellType type) {
  switch (type) {
    case CellType::kUint8:
      return {"|u1", GDT_Byte, 1};
    case CellType::kInt16:
      return {"<i2", GDT_Int16, 2};
    case CellType::kInt32:
      return {"<i4", GDT_Int32, 4};
    case CellType::kFloat32:
      return {"<f4", GDT_Float32, 4};
    case CellType::kFloat64:
      return {"<f8", GDT_Float64, 8};
  }
  return {"<f8", GDT_Float64, 8};
}

class NpyWriter : public RasterWriter {
 public:
  explicit NpyWriter(StagedFile& file) : file_(file) {}

  absl::Status Append(const std::vector<std::string_view>& bands) override {
    return file_.Append(bands.front());
  }
  absl::Status Finish() override { return absl::OkStatus(); }

 private:
  StagedFile& file_;
};

// Gathers rows until they fill a row of tiles, so that each tile is compressed
// once.
class TiffWriter : public RasterWriter {
 public:
  static constexpr int kTileSize = 256;

  static absl::StatusOr<std::unique_ptr<RasterWriter>> Make(StagedFile& file,
                                                            const RasterLayout& layout,
                                                            const Provenance& provenance) {
    UseGdal();
    const GdalMessages messages;
    const CellTypeTraits traits = TraitsOf(layout.type);
    const char* const options[] = {"TILED=YES",
                                   "COMPRESS=DEFLATE",
                                   "BIGTIFF=IF_SAFER",
                                   "INTERLEAVE=BAND",
                                   "NUM_THREADS=ALL_CPUS",
                                   "BLOCKXSIZE=256",
                                   "BLOCKYSIZE=256",
                                   nullptr};
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    if (driver == nullptr) return WriteFailed(file.path(), "this GDAL has no GeoTIFF driver");
    auto writer = std::unique_ptr<TiffWriter>(new TiffWriter(file, layout, traits));
    writer->dataset_.reset(driver->Create(
        file.temporary_path().c_str(), static_cast<int>(layout.frame.shape.cols),
        static_cast<int>(layout.frame.shape.rows), static_cast<int>(layout.bands.size()),
        traits.gdal_type, const_cast<char**>(options)));
    if (!writer->dataset_) {
      return WriteFailed(file.path(), messages.LastError("it cannot be created"));
    }
    TALWEG_RETURN_IF_ERROR(writer->Describe(layout, provenance));
    return writer;
  }

  absl::Status Append(const std::vector<std::string_view>& bands) override {
    for (size_t band = 0; band < rows_.size(); ++band) rows_[band] += bands[band];
    while (rows_.front().size() >= tile_row_bytes_) TALWEG_RETURN_IF_ERROR(WriteRows(kTileSize));
    return absl::OkStatus();
  }

  absl::Status Finish() override {
    const auto rows = static_cast<int64_t>(rows_.front().size() / row_bytes_);
    if (rows > 0) TALWEG_RETURN_IF_ERROR(WriteRows(rows));
    const GdalMessages messages;
    dataset_.reset();
    const std::string error = messages.LastError("");
    return error.empty() ? absl::OkStatus() : WriteFailed(file_.path(), error);
  }

 private:
  TiffWriter(StagedFile& file, const RasterLayout& layout, const CellTypeTraits& traits)
      : file_(file),
        type_(traits.gdal_type),
        cols_(static_cast<int>(layout.frame.shape.cols)),
        row_bytes_(static_cast<size_t>(layout.frame.shape.cols) * traits.bytes),
        tile_row_bytes_(row_bytes_ * kTileSize),
        rows_(layout.bands.size()) {}

  absl::Status Describe(const RasterLayout& layout, const Provenance& provenance) {
    if (layout.frame.has_geotransform) {
      auto coefficients = layout.frame.geotransform.coefficients();
      dataset_->SetGeoTransform(coefficients.data());
    }
    if (!layout.frame.crs.wkt().empty()) {
      TALWEG_ASSIGN_OR_RETURN(const OGRSpatialReference reference, CrsFromProto(layout.frame.crs));
      dataset_->SetSpatialRef(&reference);
    }
    for (const auto& [name, value] : ProvenanceItems(provenance)) {
      dataset_->SetMetadataItem(name.c_str(), value.c_str());
    }
    for (int band = 1; band <= dataset_->GetRasterCount(); ++band) {
      dataset_->GetRasterBand(band)->SetDescription(
          layout.bands[static_cast<size_t>(band - 1)].c_str());
    }
    // One per file: GeoTIFF has a single nodata value for all bands.
    if (layout.nodata) dataset_->GetRasterBand(1)->SetNoDataValue(*layout.nodata);
    return absl::OkStatus();
  }

  absl::Status WriteRows(int64_t count) {
    const GdalMessages messages;
    const size_t bytes = static_cast<size_t>(count) * row_bytes_;
    for (size_t band = 0; band < rows_.size(); ++band) {
      const CPLErr error =
          dataset_->GetRasterBand(static_cast<int>(band) + 1)
              ->RasterIO(GF_Write, 0, static_cast<int>(next_row_), cols_, static_cast<int>(count),
                         rows_[band].data(), cols_, static_cast<int>(count), type_, 0, 0, nullptr);
      if (error != CE_None) {
        return WriteFailed(file_.path(), messages.LastError("its cells cannot be written"));
      }
      rows_[band].erase(0, bytes);
    }
    next_row_ += count;
    return absl::OkStatus();
  }

  StagedFile& file_;
  GDALDataType type_;
  int cols_;
  size_t row_bytes_;
  size_t tile_row_bytes_;
  std::vector<std::string> rows_;  // per band: cells that are not written yet
  int64_t next_row_ = 0;
  GdalDataset dataset_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RasterWriter>> MakeRasterWriter(const std::string& path,
                                                               const RasterLayout& layout,
                                                               const Provenance& provenance,
                                                               OutputSet& outputs) {
  TALWEG_ASSIGN_OR_RETURN(const RasterFormat format, RasterFormatOf(path));
  StagedFile& file = outputs.Stage(path);
  if (format == RasterFormat::kGeoTiff) return TiffWriter::Make(file, layout, provenance);
  TALWEG_RETURN_IF_ERROR(file.Append(NpyHeaderBytes(
      TraitsOf(layout.type).npy_descr, {static_cast<uint64_t>(layout.frame.shape.rows),
                                        static_cast<uint64_t>(layout.frame.shape.cols)})));
  TALWEG_RETURN_IF_ERROR(WriteSidecar(path, provenance, outputs));
  return std::make_unique<NpyWriter>(file);
}

}  // namespace talweg::formats
