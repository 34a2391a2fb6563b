#include "rdma/roce/packet.h"

#include <cstddef>
#include <type_traits>

#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::rdma::roce {
namespace {

// One extension header, where the opcode calls for it: into `header` when
// reading, out of it (zeros if absent) when writing. After a stop nothing is
// kept: a header is whole or absent.
template <typename T>
void extension(auto& w, const char* field, bool wanted, auto& header) {
  if (!wanted) {
    return;
  }
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    T value;
    w(field, value);
    if (!w.stopped()) {
      header = value;
    }
  } else {
    w(field, header.value_or(T{}));
  }
}

// The same, of a header that is kept as the number in it.
void immediate_data(auto& w, bool wanted, auto& number) {
  std::optional<ImmDt> header;
  if (wanted && number) {
    header = ImmDt{*number};
  }
  extension<ImmDt>(w, "immediate", wanted, header);
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    if (wanted && header) {
      number = header->data;
    }
  }
}

// All extension headers in wire order (IBTA vol. 1 §9.3).
void extensions(auto& w, uint8_t present, auto& packet) {
  extension<Deth>(w, "deth", present & kDeth, packet.deth);
  extension<Feth>(w, "feth", present & kFeth, packet.feth);
  extension<Reth>(w, "reth", present & kReth, packet.reth);
  extension<AtomicEth>(w, "atomic_eth", present & kAtomicEth, packet.atomic);
  extension<Aeth>(w, "aeth", present & kAeth, packet.aeth);
  extension<AtomicAckEth>(w, "atomic_ack_eth", present & kAtomicAckEth, packet.atomic_ack);
  immediate_data(w, present & kImmediate, packet.immediate);
  extension<Ieth>(w, "ieth", present & kIeth, packet.ieth);
}

// As a Packet{} is, but for what take_bth() sets; every packet passes here.
void clear(Packet& packet) {
  packet.deth.reset();
  packet.feth.reset();
  packet.reth.reset();
  packet.atomic.reset();
  packet.aeth.reset();
  packet.atomic_ack.reset();
  packet.immediate.reset();
  packet.ieth.reset();
  packet.payload = {};
  packet.payload_length = 0;
  packet.icrc.reset();
  packet.marked = packet.headers_cut = packet.malformed = false;
  packet.captured = nullptr;
  packet.seal.reset();
}

void take_bth(const Bth& bth, Packet& into) {
  into.opcode = bth.opcode;
  into.solicited = (bth.flags & 0x80) != 0;
  into.migrated = (bth.flags & 0x40) != 0;
  into.pad = bth.pad();
  into.p_key = bth.p_key;
  into.fecn = (bth.congestion & 0x80) != 0;
  into.becn = (bth.congestion & 0x40) != 0;
  into.dest_qp = bth.dest_qp;
  into.ack_request = (bth.ack_request & 0x80) != 0;
  into.psn = bth.psn;
}

Bth make_bth(const Packet& packet) {
  Bth bth;
  bth.opcode = packet.opcode;
  bth.flags = static_cast<uint8_t>((packet.solicited ? 0x80 : 0) | (packet.migrated ? 0x40 : 0) |
                                   (packet.pad & 3) << 4);
  bth.p_key = packet.p_key;
  bth.congestion = static_cast<uint8_t>((packet.fecn ? 0x80 : 0) | (packet.becn ? 0x40 : 0));
  bth.dest_qp = packet.dest_qp;
  bth.ack_request = packet.ack_request ? 0x80 : 0;
  bth.psn = packet.psn;
  return bth;
}

}  // namespace

bool decode(Bytes from_bth, uint32_t wire_length, Packet& into) {
  Bth bth;
  if (!read_bth(from_bth, wire_length, bth)) {
    clear(into);
    return false;
  }
  decode(bth, from_bth, wire_length, into);
  return true;
}

void decode(const Bth& bth, Bytes from_bth, uint32_t wire_length, Packet& into) {
  clear(into);
  take_bth(bth, into);
  const uint32_t headers = header_size(bth.opcode);
  const uint8_t present = shape(bth.opcode).extensions;
  if (std::min<size_t>(from_bth.size(), wire_length) >= headers) [[likely]] {
    wire::Fixed reader(from_bth.data() + Bth::size);
    extensions(reader, present, into);
  } else {
    wire::Reader reader(slice(from_bth, Bth::size, wire_length - Bth::size), wire_length - Bth::size);
    extensions(reader, present, into);
    into.headers_cut = headers <= wire_length;
  }
  const uint64_t around = uint64_t{headers} + bth.pad() + kIcrcSize;
  if (around > wire_length) {
    into.malformed = true;
    return;
  }
  into.payload_length = wire_length - static_cast<uint32_t>(around);
  into.payload = slice(from_bth, headers, into.payload_length);
}

void encode(const Packet& packet, std::vector<uint8_t>& out) {
  wire::Writer writer(out);
  const Bth bth = make_bth(packet);
  Bth::layout(writer, bth);
  extensions(writer, shape(packet.opcode).extensions, packet);
  out.insert(out.end(), packet.payload.begin(), packet.payload.end());
  out.insert(out.end(), packet.pad & 3, 0);
}

}  // namespace steertag::rdma::roce
