#include "scenario/roce_packets.h"

#include <algorithm>

#include "rdma/roce/bth.h"
#include "rdma/roce/headers.h"
#include "wire/reader.h"

namespace steertag::scenario {

namespace roce = rdma::roce;
using roce::Packet;

std::vector<Packet> fragment(const Opcodes& opcodes, Bytes data, uint32_t mtu) {
  std::vector<Packet> packets;
  size_t offset = 0;
  do {
    Packet packet;
    const size_t length = std::min<size_t>(mtu, data.size() - offset);
    const bool first = offset == 0, last = offset + length == data.size();
    packet.opcode = first && last ? opcodes.only
                    : first       ? opcodes.first
                    : last        ? opcodes.last
                                  : opcodes.middle;
    packet.payload = slice(data, offset, length);
    packet.payload_length = static_cast<uint32_t>(length);
    packet.pad = roce::pad_for(length);
    packets.push_back(packet);
    offset += length;
  } while (offset < data.size());
  return packets;
}

roce::Opcode variant(roce::Opcode plain, bool immediate, bool invalidate) {
  switch (plain) {
    case roce::Opcode::send_last:
      return immediate    ? roce::Opcode::send_last_immediate
             : invalidate ? roce::Opcode::send_last_invalidate
                          : plain;
    case roce::Opcode::send_only:
      return immediate    ? roce::Opcode::send_only_immediate
             : invalidate ? roce::Opcode::send_only_invalidate
                          : plain;
    case roce::Opcode::write_last:
      return immediate ? roce::Opcode::write_last_immediate : plain;
    case roce::Opcode::write_only:
      return immediate ? roce::Opcode::write_only_immediate : plain;
    default:
      return plain;
  }
}

std::vector<wire::Node> outline(const Packet& packet, Bytes bytes) {
  std::vector<wire::Node> nodes;
  wire::BasicReader<wire::OutlineTrace> reader(bytes, bytes.size(), wire::Limit::message,
                                               wire::OutlineTrace(nodes));
  const auto walk = [&](bool present, auto header) {
    if (present) {
      decltype(header)::layout(reader, header);
    }
  };
  const uint8_t present = roce::shape(packet.opcode).extensions;
  walk(true, roce::Bth{});
  walk(present & roce::kDeth, roce::Deth{});
  walk(present & roce::kReth, roce::Reth{});
  walk(present & roce::kAeth, roce::Aeth{});
  walk(present & roce::kImmediate, roce::ImmDt{});
  walk(present & roce::kIeth, roce::Ieth{});
  return nodes;
}

}  // namespace steertag::scenario
