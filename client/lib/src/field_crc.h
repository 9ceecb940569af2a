// The checksum of a block of a field.
#ifndef TALWEG_CLIENT_FIELD_CRC_H_
#define TALWEG_CLIENT_FIELD_CRC_H_

#include "absl/status/status.h"
#include "talweg/v1/path.pb.h"

namespace talweg::client {

// CHECKSUM_MISMATCH unless the block's CRC-32 is that of its parts.
absl::Status CheckFieldBlock(const v1::FieldBlock& block);

}  // namespace talweg::client

#endif  // TALWEG_CLIENT_FIELD_CRC_H_
