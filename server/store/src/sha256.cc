// Apart from the other checksums, so that a program that needs no SHA-256 links
// no libcrypto.
#include <openssl/evp.h>

#include "talweg/store/checksum.h"

namespace talweg::store {

std::string Sha256(std::span<const std::byte> bytes) {
  std::string digest(32, '\0');
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
             EVP_sha256(), nullptr);
  digest.resize(size);
  return digest;
}

}  // namespace talweg::store
