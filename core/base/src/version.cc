#include "talweg/base/version.h"

namespace talweg {

std::string_view Version() { return TALWEG_VERSION; }

}  // namespace talweg
