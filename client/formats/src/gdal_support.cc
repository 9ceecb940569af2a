#include "gdal_support.h"

#include <mutex>

namespace talweg::formats {

void UseGdal() {
  static std::once_flag once;
  std::call_once(once, [] {
    // No .aux.xml beside files that are only read.
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
    GDALAllRegister();
  });
}

GdalMessages::GdalMessages() { CPLPushErrorHandlerEx(&GdalMessages::Collect, this); }
GdalMessages::~GdalMessages() { CPLPopErrorHandler(); }

void GdalMessages::Collect(CPLErr severity, CPLErrorNum /*number*/, const char* message) {
  if (severity != CE_Failure && severity != CE_Fatal) return;
  static_cast<GdalMessages*>(CPLGetErrorHandlerUserData())->last_error_ = message;
}

std::string GdalMessages::LastError(const std::string& otherwise) const {
  if (last_error_.empty()) return otherwise;
  std::string line = last_error_.substr(0, last_error_.find('\n'));
  // "/long/path/file.tif: what" repeats the name the caller puts in front.
  const size_t colon = line.find(": ");
  if (colon != std::string::npos && line.find('/') < colon) line.erase(0, colon + 2);
  return line;
}

}  // namespace talweg::formats
