// Cost fields out: accumulated cost, back-links, allocation.
#ifndef TALWEG_FORMATS_FIELD_WRITER_H_
#define TALWEG_FORMATS_FIELD_WRITER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "talweg/formats/back_link_coding.h"
#include "talweg/formats/output_file.h"
#include "talweg/formats/provenance.h"
#include "talweg/formats/raster_writer.h"
#include "talweg/formats/surface_frame.h"
#include "talweg/v1/path.pb.h"

namespace talweg::formats {

enum class StatusBand { kNone, kSecondBand };

// Which files are written; empty names: not.
struct FieldFiles {
  std::string cost = {};  // .npy: +inf not reached, NaN impassable; .tif: NaN (nodata) for both
  StatusBand status = StatusBand::kNone;  // .tif: 0 reached, 1 not reached, 2 impassable
  std::string back_links = {};
  BackLinkCoding coding = BackLinkCoding::kTalweg;
  std::string allocation = {};  // int32: index of the source in the request, -1 not reached
};

// OUTPUT_FORMAT or FILE_UNWRITABLE, before anything is computed.
absl::Status CheckFieldFiles(const FieldFiles& files);

class FieldWriter {
 public:
  static absl::StatusOr<FieldWriter> Open(const FieldFiles& files, const SurfaceFrame& frame,
                                          Neighbourhood neighbourhood, const Provenance& provenance,
                                          OutputSet& outputs);

  // Blocks in row-major order without gaps; PROTOCOL_ERROR otherwise.
  absl::Status Add(const v1::FieldBlock& block);
  // PROTOCOL_ERROR when cells are missing.
  absl::Status Finish();

 private:
  FieldWriter() = default;
  absl::Status AddCosts(const v1::FieldBlock& block);
  absl::Status AddBackLinks(const v1::FieldBlock& block);

  uint64_t next_cell_ = 0;
  uint64_t total_cells_ = 0;
  bool cost_is_tiff_ = false;
  bool has_status_ = false;
  BackLinkTable table_;
  std::unique_ptr<RasterWriter> cost_;
  std::unique_ptr<RasterWriter> back_links_;
  std::unique_ptr<RasterWriter> allocation_;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_FIELD_WRITER_H_
