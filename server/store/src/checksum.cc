#include "talweg/store/checksum.h"

#include <xxhash.h>
#include <zlib.h>

#include <cstring>
#include <new>

namespace talweg::store {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

Digest128 Canonical(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Digest128 digest;
  static_assert(sizeof canonical.digest == sizeof(Digest128));
  std::memcpy(digest.data(), canonical.digest, digest.size());
  return digest;
}

}  // namespace

struct Xxh3Hasher::State {
  State() : xxh(XXH3_createState()) {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  XXH3_state_t* xxh;
};

Xxh3Hasher::Xxh3Hasher() : state_(std::make_unique<State>()) {}
Xxh3Hasher::~Xxh3Hasher() = default;
Xxh3Hasher::Xxh3Hasher(Xxh3Hasher&&) noexcept = default;
Xxh3Hasher& Xxh3Hasher::operator=(Xxh3Hasher&&) noexcept = default;

void Xxh3Hasher::Update(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

Digest128 Xxh3Hasher::Digest() const { return Canonical(XXH3_128bits_digest(state_->xxh)); }

Digest128 Xxh3(std::span<const std::byte> bytes) {
  return Canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string ToHex(std::string_view bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kHexDigits[byte >> 4]);
    hex.push_back(kHexDigits[byte & 15]);
  }
  return hex;
}

std::string_view AsBytes(const Digest128& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace talweg::store
