#ifndef TALWEG_FORMATS_SRC_PNG_H_
#define TALWEG_FORMATS_SRC_PNG_H_

#include "absl/status/status.h"
#include "canvas.h"
#include "talweg/formats/output_file.h"

namespace talweg::formats {

// WRITE_FAILED.
absl::Status WritePng(Canvas& canvas, StagedFile& file);

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_PNG_H_
