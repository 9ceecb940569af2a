// GDAL made quiet and lazy.
#ifndef TALWEG_FORMATS_SRC_GDAL_SUPPORT_H_
#define TALWEG_FORMATS_SRC_GDAL_SUPPORT_H_

#include <gdal_priv.h>

#include <memory>
#include <string>

namespace talweg::formats {

// Registers GDAL's drivers, once; nothing before this call touches them, so
// that a job on .npy files never does.
void UseGdal();

// While it lives, GDAL's and PROJ's messages are collected instead of printed.
// One at a time per thread.
class GdalMessages {
 public:
  GdalMessages();
  ~GdalMessages();
  GdalMessages(const GdalMessages&) = delete;
  GdalMessages& operator=(const GdalMessages&) = delete;

  // The last error, one line, without the path it may start with; `otherwise`
  // when there was none.
  std::string LastError(const std::string& otherwise) const;

 private:
  static void Collect(CPLErr severity, CPLErrorNum number, const char* message);
  std::string last_error_;
};

struct GdalDatasetCloser {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
// A dataset that was opened or created here. GDALClose flushes; writers look
// at GdalMessages afterwards.
using GdalDataset = std::unique_ptr<GDALDataset, GdalDatasetCloser>;

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_GDAL_SUPPORT_H_
