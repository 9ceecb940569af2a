#ifndef TALWEG_BASE_VERSION_H_
#define TALWEG_BASE_VERSION_H_

#include <string_view>

namespace talweg {

// The release, e.g. "0.1.0". Server and worker refuse to work together when
// theirs differ.
std::string_view Version();

}  // namespace talweg

#endif  // TALWEG_BASE_VERSION_H_
