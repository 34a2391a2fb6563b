// The packets that a RoceTransport makes of a message: cut by the path MTU, each with the opcode of its
// place, and with its headers outlined, so that a line of the scenario may patch their fields. Pure
// functions; PSNs are the RoceTransport's business.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "rdma/roce/packet.h"
#include "wire/outline.h"

namespace steertag::scenario {

// The four places of a message; the values differ between operations.
struct Opcodes {
  rdma::roce::Opcode first, middle, last, only;
};
inline constexpr Opcodes kSend{rdma::roce::Opcode::send_first, rdma::roce::Opcode::send_middle,
                               rdma::roce::Opcode::send_last, rdma::roce::Opcode::send_only};
inline constexpr Opcodes kWrite{rdma::roce::Opcode::write_first, rdma::roce::Opcode::write_middle,
                                rdma::roce::Opcode::write_last, rdma::roce::Opcode::write_only};
inline constexpr Opcodes kResponse{
    rdma::roce::Opcode::read_response_first, rdma::roce::Opcode::read_response_middle,
    rdma::roce::Opcode::read_response_last, rdma::roce::Opcode::read_response_only};

// `data` in packets of the path MTU; at least one.
std::vector<rdma::roce::Packet> fragment(const Opcodes& opcodes, Bytes data, uint32_t mtu);
// Last or Only with an immediate or with an R_Key to invalidate.
rdma::roce::Opcode variant(rdma::roce::Opcode plain, bool immediate, bool invalidate);
// BTH and extension headers by the names of their layouts.
std::vector<wire::Node> outline(const rdma::roce::Packet& packet, Bytes bytes);

}  // namespace steertag::scenario
