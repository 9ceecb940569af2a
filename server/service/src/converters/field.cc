#include "talweg/service/converters/field.h"

#include <zlib.h>

#include <bit>
#include <span>
#include <string>

#include "talweg/service/limits.h"

namespace talweg::service {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the wire format is little-endian and cells are copied as they are");

template <class T>
std::string CopyBytes(std::span<const T> part) {
  const std::span<const std::byte> bytes = std::as_bytes(part);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <class T>
std::span<const T> RunOf(std::span<const T> part, uint64_t first, uint64_t count) {
  return part.empty() ? part : part.subspan(first, count);
}

uLong AddToCrc(uLong crc, const std::string& bytes) {
  return crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

FieldCells FieldCells::Run(uint64_t first, uint64_t count) const {
  return {.costs = RunOf(costs, first, count),
          .back_links = RunOf(back_links, first, count),
          .allocation = RunOf(allocation, first, count)};
}

uint64_t FieldBlockCells(const FieldCells& cells) {
  const uint64_t bytes_per_cell = sizeof(double) +
                                  (cells.back_links.empty() ? 0 : sizeof(uint8_t)) +
                                  (cells.allocation.empty() ? 0 : sizeof(int32_t));
  constexpr uint64_t kFrameBytes = 64;
  return (kBlockBytes - kFrameBytes) / bytes_per_cell;
}

v1::FieldBlock FieldBlockToProto(uint64_t first_cell, const FieldCells& cells) {
  v1::FieldBlock block;
  block.set_first_cell(first_cell);
  block.set_cell_count(cells.costs.size());
  block.set_costs(CopyBytes(cells.costs));
  block.set_back_links(CopyBytes(cells.back_links));
  block.set_allocation(CopyBytes(cells.allocation));
  uLong crc = crc32_z(0, nullptr, 0);
  crc = AddToCrc(crc, block.costs());
  crc = AddToCrc(crc, block.back_links());
  crc = AddToCrc(crc, block.allocation());
  block.set_crc32(static_cast<uint32_t>(crc));
  return block;
}

}  // namespace talweg::service
