#include "gdal_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "crs.h"
#include "gdal_support.h"
#include "masking.h"
#include "narrow.h"
#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/grid/geotransform.h"

namespace talweg::formats {
namespace {

// One band of an open file, and everything said of it in messages.
struct Source {
  const std::string& path;
  GDALDataset* dataset;
  GDALRasterBand* band;
  Shape shape;
  const RasterReadOptions& options;
  const GdalMessages& messages;
};

std::string Subdatasets(GDALDataset& dataset) {
  constexpr int kMaxNames = 3;
  std::vector<std::string> names;
  char** metadata = dataset.GetMetadata("SUBDATASETS");
  for (int i = 1; i <= kMaxNames; ++i) {
    const char* name = CSLFetchNameValue(metadata, absl::StrCat("SUBDATASET_", i, "_NAME").c_str());
    if (name == nullptr) break;
    names.emplace_back(name);
  }
  return absl::StrJoin(names, ", ");
}

absl::StatusOr<GdalDataset> Open(const std::string& path, const GdalMessages& messages) {
  GdalDataset dataset(
      GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR));
  if (!dataset) {
    return FileUnreadable(path, messages.LastError("no GDAL driver knows its format"));
  }
  if (dataset->GetRasterCount() == 0) {
    const std::string parts = Subdatasets(*dataset);
    return FileContent(path, "holds no raster band of its own",
                       parts.empty() ? "a file with a raster" : "one of its parts: " + parts);
  }
  return dataset;
}

absl::StatusOr<GDALRasterBand*> ChooseBand(const std::string& path, GDALDataset& dataset,
                                           std::optional<int> number) {
  const int count = dataset.GetRasterCount();
  const int chosen = number.value_or(1);
  if (chosen < 1 || chosen > count) {
    return FileContent(
        path, absl::StrCat("has no band ", chosen),
        count == 1 ? std::string("1, its only band") : absl::StrCat("a band from 1 to ", count));
  }
  return dataset.GetRasterBand(chosen);
}

int ContinueUnlessCancelled(double /*done*/, const char* /*message*/, void* options) {
  return static_cast<const RasterReadOptions*>(options)->cancelled() ? FALSE : TRUE;
}

// All cells of a band, as values of GDAL's type `type`.
absl::StatusOr<CellBuffer> ReadCells(const Source& source, GDALRasterBand& band,
                                     GDALDataType type) {
  const auto cell_bytes = static_cast<uint64_t>(GDALGetDataTypeSizeBytes(type));
  TALWEG_ASSIGN_OR_RETURN(
      CellBuffer cells,
      CellBuffer::Allocate(static_cast<uint64_t>(source.shape.cells()) * cell_bytes));
  GDALRasterIOExtraArg extra;
  INIT_RASTERIO_EXTRA_ARG(extra);
  extra.pfnProgress = &ContinueUnlessCancelled;
  extra.pProgressData = const_cast<RasterReadOptions*>(&source.options);
  const auto cols = static_cast<int>(source.shape.cols);
  const auto rows = static_cast<int>(source.shape.rows);
  const CPLErr error =
      band.RasterIO(GF_Read, 0, 0, cols, rows, cells.data(), cols, rows, type, 0, 0, &extra);
  if (source.options.cancelled()) return absl::CancelledError("interrupted");
  if (error != CE_None) {
    return FileUnreadable(source.path, source.messages.LastError("its cells cannot be read"));
  }
  return cells;
}

// ---- What is hidden ---------------------------------------------------------

GDALRasterBand* AlphaBand(const Source& source) {
  for (int i = 1; i <= source.dataset->GetRasterCount(); ++i) {
    GDALRasterBand* band = source.dataset->GetRasterBand(i);
    if (band->GetColorInterpretation() == GCI_AlphaBand && band != source.band) return band;
  }
  return nullptr;
}

// Adds the cells where `mask_band` is 0.
absl::Status HideByBand(const Source& source, GDALRasterBand& mask_band,
                        std::vector<uint8_t>& hidden) {
  // Alpha may be of any type, and only 0 matters.
  TALWEG_ASSIGN_OR_RETURN(const CellBuffer mask, ReadCells(source, mask_band, GDT_Float32));
  hidden.resize(static_cast<size_t>(source.shape.cells()), 0);
  const auto values = mask.as<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) hidden[i] = 1;
  }
  return absl::OkStatus();
}

// Cells that a mask or alpha band hides; empty when there is neither. The mask
// GDAL derives from a band's nodata value is not used: for floats it compares
// with a tolerance, and ours is exact.
absl::StatusOr<std::vector<uint8_t>> HiddenCells(const Source& source) {
  std::vector<uint8_t> hidden;
  const int flags = source.band->GetMaskFlags();
  const bool by_band_nodata = (flags & GMF_NODATA) != 0 && (flags & GMF_PER_DATASET) == 0;
  if (source.band->GetColorInterpretation() == GCI_AlphaBand) return hidden;
  if ((flags & GMF_ALL_VALID) == 0 && !by_band_nodata) {
    TALWEG_RETURN_IF_ERROR(HideByBand(source, *source.band->GetMaskBand(), hidden));
  }
  // A band with a nodata value hides its alpha band from GDAL.
  if ((flags & GMF_ALPHA) == 0) {
    if (GDALRasterBand* alpha = AlphaBand(source)) {
      TALWEG_RETURN_IF_ERROR(HideByBand(source, *alpha, hidden));
    }
  }
  return hidden;
}

// ---- Cells, by type ---------------------------------------------------------

struct BandNodata {
  std::optional<double> value;             // of bands up to 32 bits and floats
  std::optional<int64_t> signed_value;     // of Int64 bands
  std::optional<uint64_t> unsigned_value;  // of UInt64 bands
};

BandNodata ReadNodata(GDALRasterBand& band) {
  BandNodata nodata;
  int has_nodata = FALSE;
  switch (band.GetRasterDataType()) {
    case GDT_Int64: {
      const int64_t value = band.GetNoDataValueAsInt64(&has_nodata);
      if (has_nodata != FALSE) nodata.signed_value = value;
      break;
    }
    case GDT_UInt64: {
      const uint64_t value = band.GetNoDataValueAsUInt64(&has_nodata);
      if (has_nodata != FALSE) nodata.unsigned_value = value;
      break;
    }
    default: {
      const double value = band.GetNoDataValue(&has_nodata);
      if (has_nodata != FALSE) nodata.value = value;
    }
  }
  return nodata;
}

bool IsSignedByte(GDALRasterBand& band) {
  const char* pixel_type = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
  return pixel_type != nullptr && absl::EqualsIgnoreCase(pixel_type, "SIGNEDBYTE");
}

std::optional<ValueType> StoredType(GDALRasterBand& band) {
  switch (band.GetRasterDataType()) {
    case GDT_Byte:
      return IsSignedByte(band) ? ValueType::kInt8 : ValueType::kUint8;
    case GDT_UInt16:
      return ValueType::kUint16;
    case GDT_Int16:
      return ValueType::kInt16;
    case GDT_UInt32:
      return ValueType::kUint32;
    case GDT_Int32:
      return ValueType::kInt32;
    case GDT_Float32:
      return ValueType::kFloat32;
    case GDT_Float64:
      return ValueType::kFloat64;
    default:
      return std::nullopt;
  }
}

// Whether a cell of the type can hold the value at all.
bool CanHold(ValueType type, double value) {
  return VisitValueType(type, [value]<class T>(T) {
    if constexpr (std::is_same_v<T, double>) {
      return true;
    } else if constexpr (std::is_same_v<T, float>) {
      return !std::isfinite(value) ||
             std::isfinite(static_cast<float>(std::clamp(value, -1e39, 1e39)));
    } else {
      return value == std::trunc(value) &&
             value >= static_cast<double>(std::numeric_limits<T>::min()) &&
             value <= static_cast<double>(std::numeric_limits<T>::max());
    }
  });
}

// Integers of 64 bits: cells that hold the nodata value are hidden, so that
// they do not widen the type.
template <class Integer>
absl::StatusOr<TypedCells> ReadWideIntegers(const Source& source, std::optional<Integer> nodata,
                                            std::vector<uint8_t>& hidden) {
  TALWEG_ASSIGN_OR_RETURN(
      const CellBuffer cells,
      ReadCells(source, *source.band, std::is_signed_v<Integer> ? GDT_Int64 : GDT_UInt64));
  const auto values = cells.as<Integer>();
  if (nodata) {
    hidden.resize(values.size(), 0);
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] == *nodata) hidden[i] = 1;
    }
  }
  return NarrowIntegers(values, hidden, {source.path, source.shape.cols});
}

struct LinearScale {
  double scale = 1;
  double offset = 0;
  bool is_identity() const { return scale == 1 && offset == 0; }
};

LinearScale ReadScale(GDALRasterBand& band) {
  LinearScale linear;
  int present = FALSE;
  const double scale = band.GetScale(&present);
  if (present != FALSE && std::isfinite(scale)) linear.scale = scale;
  const double offset = band.GetOffset(&present);
  if (present != FALSE && std::isfinite(offset)) linear.offset = offset;
  return linear;
}

// value = stored * scale + offset, in float64; cells without a value are NaN.
absl::StatusOr<TypedCells> Scale(TypedCells typed, const LinearScale& linear,
                                 std::optional<double> nodata) {
  return VisitValueType(typed.type, [&]<class T>(T) -> absl::StatusOr<TypedCells> {
    const std::span<const T> raw = std::as_const(typed.cells).as<T>();
    TALWEG_ASSIGN_OR_RETURN(CellBuffer buffer, CellBuffer::Allocate(raw.size() * sizeof(double)));
    const auto scaled = buffer.as<double>();
    const bool has_nodata = nodata && CanHold(typed.type, *nodata);
    const T nodata_value = has_nodata ? static_cast<T>(*nodata) : T(0);
    for (size_t i = 0; i < raw.size(); ++i) {
      scaled[i] = has_nodata && raw[i] == nodata_value
                      ? std::numeric_limits<double>::quiet_NaN()
                      : static_cast<double>(raw[i]) * linear.scale + linear.offset;
    }
    return NarrowDoubles(std::move(buffer));
  });
}

// Cells and nodata of the band, in the order: read, scale, hide.
absl::Status ReadBand(const Source& source, SurfaceInput& input) {
  TALWEG_ASSIGN_OR_RETURN(std::vector<uint8_t> hidden, HiddenCells(source));
  const BandNodata nodata = ReadNodata(*source.band);
  const GDALDataType gdal_type = source.band->GetRasterDataType();
  TypedCells typed;
  if (gdal_type == GDT_Int64) {
    TALWEG_ASSIGN_OR_RETURN(typed, ReadWideIntegers(source, nodata.signed_value, hidden));
  } else if (gdal_type == GDT_UInt64) {
    TALWEG_ASSIGN_OR_RETURN(typed, ReadWideIntegers(source, nodata.unsigned_value, hidden));
  } else if (const auto type = StoredType(*source.band)) {
    typed.type = *type;
    TALWEG_ASSIGN_OR_RETURN(typed.cells, ReadCells(source, *source.band, gdal_type));
  } else {
    return FileContent(source.path,
                       absl::StrCat("band ", source.band->GetBand(), " is of type ",
                                    GDALGetDataTypeName(gdal_type)),
                       "real numbers");
  }

  std::optional<double> declared = nodata.value;
  if (declared && !std::isnan(*declared) && !CanHold(typed.type, *declared)) {
    const std::string_view type_name = ValueTypeName(typed.type);
    input.warnings.push_back(absl::StrCat(
        source.path, ": the nodata value ", FormatNumber(*declared), " cannot occur in ",
        absl::string_view(type_name.data(), type_name.size()), " cells; it is ignored"));
    declared.reset();
  }
  if (const LinearScale linear = ReadScale(*source.band); !linear.is_identity()) {
    TALWEG_ASSIGN_OR_RETURN(typed, Scale(std::move(typed), linear, declared));
    declared.reset();
  }
  if (std::any_of(hidden.begin(), hidden.end(), [](uint8_t h) { return h != 0; })) {
    TALWEG_ASSIGN_OR_RETURN(MaskedCells masked, HideCells(std::move(typed), hidden, declared));
    typed = std::move(masked.typed);
    if (masked.nodata && masked.nodata != declared) {
      input.description.add_nodata(*masked.nodata);
    }
  }
  if (declared && !std::isnan(*declared)) input.description.add_nodata(*declared);
  input.description.set_value_type(static_cast<v1::ValueType>(typed.type));
  input.cells = std::move(typed.cells);
  return absl::OkStatus();
}

// Where the cells lie.
absl::Status ReadPlace(const Source& source, SurfaceInput& input) {
  std::array<double, 6> coefficients;
  if (source.dataset->GetGeoTransform(coefficients.data()) == CE_None) {
    const auto geotransform = GeoTransform::Make(coefficients);
    if (!geotransform.ok()) return PrependContext(geotransform.status(), source.path);
    for (const double coefficient : coefficients) {
      input.description.add_geotransform(coefficient);
    }
  } else if (source.dataset->GetGCPCount() > 0) {
    input.warnings.push_back(absl::StrCat(
        source.path, " is placed by ground control points only; coordinates are cell units"));
  }
  const OGRSpatialReference* reference = source.dataset->GetSpatialRef();
  *input.description.mutable_crs() = CrsToProto(reference);
  if (reference != nullptr && input.description.crs().kind() == v1::CRS_KIND_NONE) {
    input.warnings.push_back(absl::StrCat(
        source.path, ": its CRS is neither projected, geographic nor local; it is ignored"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SurfaceInput> ReadGdalSurface(const std::string& path,
                                             const RasterReadOptions& options) {
  UseGdal();
  const GdalMessages messages;
  TALWEG_ASSIGN_OR_RETURN(const GdalDataset dataset, Open(path, messages));
  TALWEG_ASSIGN_OR_RETURN(GDALRasterBand* const band, ChooseBand(path, *dataset, options.band));
  const auto shape = MakeShape(static_cast<uint64_t>(dataset->GetRasterYSize()),
                               static_cast<uint64_t>(dataset->GetRasterXSize()));
  if (!shape.ok()) return PrependContext(shape.status(), path);

  SurfaceInput input;
  input.description.set_rows(static_cast<uint64_t>(shape->rows));
  input.description.set_cols(static_cast<uint64_t>(shape->cols));
  const Source source{path, dataset.get(), band, *shape, options, messages};
  TALWEG_RETURN_IF_ERROR(ReadPlace(source, input));
  TALWEG_RETURN_IF_ERROR(ReadBand(source, input));
  return input;
}

}  // namespace talweg::formats
