// The checksums of the store: XXH3 with 128 bits as identity of revisions and
// for uploads, SHA-256 and CRC-32 for senders that have those.
#ifndef TALWEG_STORE_CHECKSUM_H_
#define TALWEG_STORE_CHECKSUM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace talweg::store {

// Canonical (big-endian) order, as `xxh128sum` prints it. Trivially copyable:
// part of segment headers.
using Digest128 = std::array<uint8_t, 16>;

// XXH3-128 of bytes that come in pieces. About 10 GB/s in memory.
class Xxh3Hasher {
 public:
  Xxh3Hasher();
  ~Xxh3Hasher();
  Xxh3Hasher(Xxh3Hasher&&) noexcept;
  Xxh3Hasher& operator=(Xxh3Hasher&&) noexcept;

  void Update(std::span<const std::byte> bytes);
  void Update(std::string_view bytes) { Update(std::as_bytes(std::span(bytes))); }
  // Of everything so far; more may follow.
  Digest128 Digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest128 Xxh3(std::span<const std::byte> bytes);

// The 32 bytes of SHA-256. About 1 GB/s or less: computed only when asked for.
std::string Sha256(std::span<const std::byte> bytes);

// CRC-32/ISO-HDLC, as zlib's crc32.
uint32_t Crc32(std::string_view bytes);

std::string ToHex(std::string_view bytes);
std::string_view AsBytes(const Digest128& digest);

}  // namespace talweg::store

#endif  // TALWEG_STORE_CHECKSUM_H_
