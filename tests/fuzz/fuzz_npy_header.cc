// The start of a .npy file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "talweg/formats/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)talweg::formats::ParseNpyHeader("fuzz.npy", bytes);
  // Past the magic and the version: the dictionary itself.
  std::string version1(talweg::formats::kNpyMagic);
  version1 += std::string("\x01\x00", 2);
  version1 += static_cast<char>(size & 0xff);
  version1 += static_cast<char>((size >> 8) & 0xff);
  version1 += bytes;
  (void)talweg::formats::ParseNpyHeader("fuzz.npy", version1);
  return 0;
}
