#include "scenario/roce_transport.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::scenario {

namespace roce = rdma::roce;
using roce::Packet;

namespace {

constexpr uint8_t kUnlimited = 0x1F;  // AETH: an ACK without a credit count
// The four places of a message; the values differ between operations.
struct Opcodes {
  roce::Opcode first, middle, last, only;
};
constexpr Opcodes kSend{roce::Opcode::send_first, roce::Opcode::send_middle, roce::Opcode::send_last,
                        roce::Opcode::send_only};
constexpr Opcodes kWrite{roce::Opcode::write_first, roce::Opcode::write_middle, roce::Opcode::write_last,
                         roce::Opcode::write_only};
constexpr Opcodes kResponse{roce::Opcode::read_response_first, roce::Opcode::read_response_middle,
                            roce::Opcode::read_response_last, roce::Opcode::read_response_only};

// `data` in packets of the path MTU; at least one.
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

// Last or Only with an immediate or with an R_Key to invalidate.
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

// BTH and extension headers by the names of their layouts.
std::vector<wire::Node> outline(const Packet& packet, Bytes bytes) {
  std::vector<wire::Node> nodes;
  wire::BasicReader<wire::OutlineTrace> reader(bytes, bytes.size(), wire::Limit::message,
                                               wire::OutlineTrace(nodes));
  const auto walk = [&](auto header) { decltype(header)::layout(reader, header); };
  const uint8_t present = roce::shape(packet.opcode).extensions;
  walk(roce::Bth{});
  if (present & roce::kDeth) {
    walk(roce::Deth{});
  }
  if (present & roce::kReth) {
    walk(roce::Reth{});
  }
  if (present & roce::kAeth) {
    walk(roce::Aeth{});
  }
  if (present & roce::kImmediate) {
    walk(roce::ImmDt{});
  }
  if (present & roce::kIeth) {
    walk(roce::Ieth{});
  }
  return nodes;
}

}  // namespace

RoceTransport::RoceTransport(const ConnectionSpec& spec, bool ipv6) : Transport(spec), ipv6_(ipv6) {
  reset_sequences();
}

void RoceTransport::reset_sequences() {
  for (const Side side : {kClient, kServer}) {
    End& end = end_of(side);
    end = End{};
    end.psn = end.line_psn = spec_.psn[rdma::index(side)] & roce::kPsnMask;
  }
}

Datagram RoceTransport::plain(Side from, Datagram::Kind kind, Packet packet) const {
  if (packet.opcode != roce::Opcode::ud_send_only) {
    packet.dest_qp = spec_.qpn[rdma::index(rdma::other(from))];
  }
  Datagram datagram;
  datagram.from = from;
  datagram.kind = kind;
  datagram.psn = packet.psn;
  roce::encode(packet, datagram.bytes);
  return datagram;
}

// Null where the line leaves the packet out.
Datagram* RoceTransport::emit(Side from, Datagram::Kind kind, const Packet& packet) {
  if (!next_packet()) {
    return nullptr;
  }
  Packet changed = packet;
  if (const auto length = patched_value("payload")) {
    changed.payload = slice(packet.payload, 0, *length);
    changed.pad = roce::pad_for(changed.payload.size());
  }
  Datagram made = plain(from, kind, changed);
  patch(outline(changed, made.bytes), made.bytes);
  Datagram& datagram = add(from, kind, std::move(made.bytes));
  datagram.psn = packet.psn;
  datagram.bad_checksum = bad_checksum();
  return &datagram;
}

// The packets of one request, in order.
void RoceTransport::message(Side from, std::vector<Packet> packets, bool read) {
  End& sender = end_of(from);
  End& receiver = end_of(rdma::other(from));
  packets.back().ack_request = true;
  for (Packet& packet : packets) {
    packet.psn = sender.psn;
    if (emit(from, Datagram::Kind::request, packet) && !read) {
      receiver.received_psn = sender.psn;
      receiver.owed = sender.psn;
      sender.psn = roce::psn_add(sender.psn, 1);
    }
  }
  receiver.msn = (receiver.msn + 1) & roce::kPsnMask;
}

void RoceTransport::send(Side from, const Send& send) {
  std::vector<Packet> packets = fragment(kSend, send.bytes, spec_.mtu);
  Packet& last = packets.back();
  last.opcode = variant(last.opcode, send.immediate, send.invalidate.has_value());
  last.solicited = send.solicited;
  last.immediate = 0;
  last.ieth = roce::Ieth{send.invalidate.value_or(0)};
  message(from, std::move(packets));
}

void RoceTransport::write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) {
  std::vector<Packet> packets = fragment(kWrite, data, spec_.mtu);
  packets.front().reth = roce::Reth{memory.offset, memory.handle, memory.length};
  packets.back().opcode = variant(packets.back().opcode, immediate, false);
  packets.back().immediate = 0;
  message(from, std::move(packets));
}

void RoceTransport::request_read(Request& request) {
  const rdma::Memory& memory = request.memory;
  Packet packet;
  packet.opcode = roce::Opcode::read_request;
  packet.reth = roce::Reth{memory.offset, memory.handle, memory.length};
  End& sender = end_of(request.from);
  End& receiver = end_of(rdma::other(request.from));
  request.psn = sender.psn;
  message(request.from, {packet}, true);
  receiver.received_psn = request.psn;
  receiver.owed.reset();  // the Response acknowledges what came before it
  sender.psn = roce::psn_add(sender.psn, roce::psn_count(memory.length, spec_.mtu));
}

void RoceTransport::respond(const Request& request) {
  responses(rdma::other(request.from), request.psn, request.memory, request.data, true);
}

void RoceTransport::responses(Side from, uint32_t psn, const rdma::Memory& memory, Bytes data, bool counted) {
  uint32_t offset = 0;
  for (Packet& packet : fragment(kResponse, data, spec_.mtu)) {
    packet.psn = psn;
    packet.aeth = roce::Aeth{kUnlimited, end_of(from).msn};
    Datagram* made = nullptr;
    if (counted) {
      made = emit(from, Datagram::Kind::response, packet);
    } else {
      out_->push_back(plain(from, Datagram::Kind::response, packet));
      made = &out_->back();
    }
    if (made) {
      made->rest = rdma::Memory{memory.handle, memory.offset + offset,
                                memory.length - std::min(memory.length, offset)};
      psn = roce::psn_add(psn, 1);
    }
    offset += packet.payload_length;
  }
}

Packet RoceTransport::acknowledgment(Side from, uint32_t psn, uint8_t syndrome) {
  Packet packet;
  packet.opcode = roce::Opcode::acknowledge;
  packet.psn = psn;
  packet.aeth = roce::Aeth{syndrome, end_of(from).msn};
  return packet;
}

void RoceTransport::acknowledge(Side from) {
  End& end = end_of(from);
  if (end.owed) {
    emit(from, Datagram::Kind::acknowledgment, acknowledgment(from, *end.owed, kUnlimited));
    end.owed.reset();
  }
}

void RoceTransport::mark(Side from) {
  end_of(from).line_psn = end_of(from).psn;
}

void RoceTransport::rewind(Side from) {
  End& end = end_of(from);
  end.furthest = end.psn;
  end.psn = end.line_psn;
}

void RoceTransport::forward(Side from) {
  End& end = end_of(from);
  if (roce::psn_distance(end.furthest, end.psn) > 0) {
    end.psn = end.furthest;
  }
}

std::unique_ptr<Transport> make_roce(const ConnectionSpec& spec, bool ipv6) {
  return std::make_unique<RoceTransport>(spec, ipv6);
}

}  // namespace steertag::scenario
