#include "rpcrdma/private_data.h"

#include <algorithm>

#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::rpcrdma {
namespace {

constexpr uint8_t remote_invalidation_flag = 0x01;

struct Block {
  uint32_t identifier = 0;
  uint8_t version = 0;
  uint8_t flags = 0;
  uint8_t send_size = 0;     // units of 1024 bytes, less one
  uint8_t receive_size = 0;  // the same

  static void layout(auto& w, auto& b) {
    w.hex("Format Identifier", b.identifier);
    w("Version", b.version);
    w("Flags", b.flags);
    w("Send Size", b.send_size);
    w("Receive Size", b.receive_size);
  }
};

constexpr uint32_t bytes_of(uint8_t size) {
  return (uint32_t{size} + 1) * 1024;
}

constexpr uint8_t size_of(uint32_t bytes) {
  return static_cast<uint8_t>(std::clamp<uint32_t>(bytes / 1024, 1, 256) - 1);
}

bool starts_block(Bytes bytes) {
  return bytes.size() >= 4 && wire::big_endian<uint32_t>(bytes.data()) == private_data_identifier;
}

PrivateData interpret(Bytes bytes, uint32_t offset) {
  PrivateData found;
  found.offset = offset;
  Block block;
  if (wire::read(bytes, block)) {
    found.cut = true;
    return found;
  }
  found.present = true;
  found.version = block.version;
  if (block.version == 1) {
    found.remote_invalidation = (block.flags & remote_invalidation_flag) != 0;
    found.reserved_flags = static_cast<uint8_t>(block.flags & ~remote_invalidation_flag);
    found.send_size = bytes_of(block.send_size);
    found.receive_size = bytes_of(block.receive_size);
  }
  return found;
}

}  // namespace

PrivateData find_private_data(Bytes private_data) {
  PrivateData best;
  for (uint32_t offset = 0; offset < private_data.size(); ++offset) {
    const Bytes here = slice(private_data, offset);
    if (!starts_block(here)) {
      continue;
    }
    const PrivateData found = interpret(here, offset);
    if (found.usable()) {
      return found;
    }
    if (!best.present && (found.present || !best.cut)) {
      best = found;
    }
  }
  return best;
}

void encode(const PrivateData& data, std::vector<uint8_t>& out) {
  const auto flags =
      static_cast<uint8_t>(data.reserved_flags | (data.remote_invalidation ? remote_invalidation_flag : 0));
  wire::write(out, Block{private_data_identifier, data.version, flags, size_of(data.send_size),
                         size_of(data.receive_size)});
}

}  // namespace steertag::rpcrdma
