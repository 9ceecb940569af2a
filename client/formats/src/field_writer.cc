#include "talweg/formats/field_writer.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "talweg/base/errors.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"
#include "talweg/formats/output_format.h"

namespace talweg::formats {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> Recode(std::string_view codes, const BackLinkTable& table) {
  std::vector<T> values(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    values[i] = static_cast<T>(table.values[static_cast<unsigned char>(codes[i])]);
  }
  return values;
}

}  // namespace

absl::Status CheckFieldFiles(const FieldFiles& files) {
  for (const std::string& path : {files.cost, files.back_links, files.allocation}) {
    if (path.empty()) continue;
    TALWEG_RETURN_IF_ERROR(RasterFormatOf(path).status());
    TALWEG_RETURN_IF_ERROR(CheckWritable(path));
  }
  if (files.status == StatusBand::kSecondBand) {
    const auto format = RasterFormatOf(files.cost);
    if (!format.ok() || *format != RasterFormat::kGeoTiff) {
      return UnknownOutputFormat(files.cost, ".tif for a field with a status band");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<FieldWriter> FieldWriter::Open(const FieldFiles& files, const SurfaceFrame& frame,
                                              Neighbourhood neighbourhood,
                                              const Provenance& provenance, OutputSet& outputs) {
  FieldWriter writer;
  writer.total_cells_ = static_cast<uint64_t>(frame.shape.cells());
  RasterLayout layout{.frame = frame, .type = CellType::kFloat64, .nodata = kNaN, .bands = {}};
  if (!files.cost.empty()) {
    TALWEG_ASSIGN_OR_RETURN(const RasterFormat format, RasterFormatOf(files.cost));
    writer.cost_is_tiff_ = format == RasterFormat::kGeoTiff;
    writer.has_status_ = files.status == StatusBand::kSecondBand;
    layout.bands = {"accumulated cost"};
    if (writer.has_status_) layout.bands.push_back("status");
    TALWEG_ASSIGN_OR_RETURN(writer.cost_,
                            MakeRasterWriter(files.cost, layout, provenance, outputs));
  }
  if (!files.back_links.empty()) {
    writer.table_ = MakeBackLinkTable(files.coding, neighbourhood);
    layout.type = writer.table_.type;
    layout.nodata = writer.table_.nodata;
    layout.bands = {"back-link"};
    TALWEG_ASSIGN_OR_RETURN(writer.back_links_,
                            MakeRasterWriter(files.back_links, layout, provenance, outputs));
  }
  if (!files.allocation.empty()) {
    layout.type = CellType::kInt32;
    layout.nodata = -1;
    layout.bands = {"allocation"};
    TALWEG_ASSIGN_OR_RETURN(writer.allocation_,
                            MakeRasterWriter(files.allocation, layout, provenance, outputs));
  }
  return writer;
}

absl::Status FieldWriter::AddCosts(const v1::FieldBlock& block) {
  if (!cost_is_tiff_) return cost_->Append({block.costs()});
  std::vector<double> costs(block.cell_count());
  std::memcpy(costs.data(), block.costs().data(), block.costs().size());
  std::vector<double> status(has_status_ ? costs.size() : 0);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (has_status_) status[i] = std::isnan(costs[i]) ? 2 : std::isinf(costs[i]) ? 1 : 0;
    if (std::isinf(costs[i])) costs[i] = kNaN;
  }
  if (has_status_) return cost_->Append({BytesOf(costs), BytesOf(status)});
  return cost_->Append({BytesOf(costs)});
}

absl::Status FieldWriter::AddBackLinks(const v1::FieldBlock& block) {
  switch (table_.type) {
    case CellType::kInt16:
      return back_links_->Append({BytesOf(Recode<int16_t>(block.back_links(), table_))});
    case CellType::kFloat32:
      return back_links_->Append({BytesOf(Recode<float>(block.back_links(), table_))});
    default:
      return back_links_->Append({BytesOf(Recode<uint8_t>(block.back_links(), table_))});
  }
}

absl::Status FieldWriter::Add(const v1::FieldBlock& block) {
  const uint64_t count = block.cell_count();
  if (block.first_cell() != next_cell_ || count > total_cells_ - next_cell_) {
    return ProtocolError("a block of cells is not where the one before ended");
  }
  if (block.costs().size() != count * sizeof(double) ||
      (back_links_ && block.back_links().size() != count) ||
      (allocation_ && block.allocation().size() != count * sizeof(int32_t))) {
    return ProtocolError("a block of cells has another size than it says");
  }
  next_cell_ += count;
  if (cost_) TALWEG_RETURN_IF_ERROR(AddCosts(block));
  if (back_links_) TALWEG_RETURN_IF_ERROR(AddBackLinks(block));
  if (allocation_) TALWEG_RETURN_IF_ERROR(allocation_->Append({block.allocation()}));
  return absl::OkStatus();
}

absl::Status FieldWriter::Finish() {
  if (next_cell_ != total_cells_) return ProtocolError("the field ended before its last cell");
  for (RasterWriter* writer : {cost_.get(), back_links_.get(), allocation_.get()}) {
    if (writer != nullptr) TALWEG_RETURN_IF_ERROR(writer->Finish());
  }
  return absl::OkStatus();
}

}  // namespace talweg::formats
