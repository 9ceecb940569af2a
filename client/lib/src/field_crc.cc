#include "field_crc.h"

#include <zlib.h>

#include <string>

#include "talweg/base/errors.h"

namespace talweg::client {

absl::Status CheckFieldBlock(const v1::FieldBlock& block) {
  uLong crc = crc32_z(0, nullptr, 0);
  for (const std::string* part : {&block.costs(), &block.back_links(), &block.allocation()}) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part->data()), part->size());
  }
  if (static_cast<uint32_t>(crc) == block.crc32()) return absl::OkStatus();
  return ChecksumMismatch("field block at cell " + std::to_string(block.first_cell()),
                          std::to_string(block.crc32()), std::to_string(crc));
}

}  // namespace talweg::client
