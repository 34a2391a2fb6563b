#include "track/copy_filter.h"

#include <algorithm>
#include <cstring>

#include "base/digest.h"
#include "rdma/roce/headers.h"
#include "rdma/roce/packet.h"
#include "wire/reader.h"

namespace steertag::track {

namespace roce = rdma::roce;

namespace {

constexpr uint64_t stir(uint64_t hash, uint64_t value) {
  const uint64_t product = (hash ^ value) * 0x9E3779B97F4A7C15;
  return product ^ product >> 32;
}

uint64_t stir(uint64_t hash, const base::Address& address) {
  const auto half = [&](size_t at) { return wire::big_endian<uint64_t>(address.octets.data() + at); };
  hash = stir(hash, half(8));
  return address.kind == base::Address::Kind::ipv4 ? hash : stir(hash, half(0));
}

uint32_t pair_of(const base::Address& from, const base::Address& to, uint32_t more) {
  return static_cast<uint32_t>(stir(stir(stir(1, from), to), more));
}

// Whole words at the front of `bytes`, at most `limit` bytes, and what is left of them.
uint64_t stir(uint64_t hash, Bytes bytes, size_t limit) {
  const Bytes front = slice(bytes, 0, limit);
  for (size_t at = 0; at < front.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, front.data() + at, std::min<size_t>(8, front.size() - at));
    hash = stir(hash, word);
  }
  return hash;
}

// Bytes behind the BTH that are looked at beside the ICRC, which may not have been filled in: RETH and AETH.
constexpr size_t kHeaders = 24;

// All that the sender wrote. FECN and BECN, which are the network's, are left out.
uint64_t content_of(const link::Packet& packet) {
  const Bytes bytes = packet.payload;
  const Bytes behind = slice(bytes, roce::Bth::size);
  uint64_t hash = stir(uint64_t{packet.routed.id} << 16 | packet.udp_source_port, packet.payload_length);
  hash = stir(stir(hash, bytes, 4), slice(bytes, 5), roce::Bth::size - 5);
  if (bytes.size() < packet.payload_length) {
    return stir(hash, base::digest(behind));
  }
  hash = stir(hash, behind, kHeaders);
  return stir(hash, behind.last(std::min<size_t>(behind.size(), roce::kIcrcSize)), roce::kIcrcSize);
}

// Of any kind, RNR NAKs among them. No other extension header stands in front of an AETH.
bool is_nak(const link::Packet& packet, roce::Opcode opcode) {
  roce::Aeth aeth;
  const Bytes bytes = slice(packet.payload, roce::Bth::size, packet.payload_length - roce::Bth::size);
  return (roce::shape(opcode).extensions & roce::kAeth) != 0 && !wire::read(bytes, aeth) && !aeth.is_ack();
}

// Does the peer lack something? RFC 2018 §3: a SACK option says so.
bool has_sack(Bytes options) {
  constexpr uint8_t kEnd = 0, kNothing = 1, kSack = 5;
  for (size_t at = 0; at < options.size() && options[at] != kEnd;) {
    if (options[at] == kSack) {
      return true;
    }
    at += options[at] == kNothing ? 1 : at + 1 < options.size() ? std::max<size_t>(options[at + 1], 2) : 2;
  }
  return false;
}

// Which tap saw it is a part of that.
uint32_t way_of(const link::Packet& packet, const Stamp& at) {
  const uint64_t tap = uint64_t{at.file} << 32 | at.tap;
  return static_cast<uint32_t>(stir(stir(packet.way, packet.routed.hops), tap)) & ~uint32_t{1};
}

uint32_t ticks(const Stamp& at) {
  return static_cast<uint32_t>(at.time_ns / CopyFilter::kTick_ns);
}

}  // namespace

CopyFilter::Seen CopyFilter::look(const link::Packet& packet, const roce::Bth& bth, const Stamp& at) {
  Sighting s;
  s.pair = pair_of(packet.source, packet.destination, 0);
  s.back = pair_of(packet.destination, packet.source, 0);
  s.content = stir(s.pair, content_of(packet));
  s.place = s.pair + bth.dest_qp * 0x9E3779B1u + bth.psn;
  s.position = bth.psn << 8;  // 24 bits, to where differences wrap as they do there
  s.now = ticks(at);
  s.id = packet.routed.id;
  s.way = way_of(packet, at);
  s.congested = packet.routed.congested();
  s.alike = bth.opcode == roce::Opcode::cnp;
  s.asks = roce::is_request(bth.opcode);
  s.complains = is_nak(packet, bth.opcode);
  s.complained = s.position;
  return look(s);
}

CopyFilter::Seen CopyFilter::look(const link::Packet& segment, const Stamp& at) {
  const link::TcpFields& tcp = segment.tcp;
  const uint32_t ports = uint32_t{tcp.source_port} << 16 | tcp.destination_port;
  const bool plain = segment.payload_length == 0 && !tcp.syn && !tcp.fin && !tcp.rst;
  Sighting s;
  s.pair = pair_of(segment.source, segment.destination, ports);
  s.back = pair_of(segment.destination, segment.source, ports << 16 | ports >> 16);
  const uint64_t flags = (tcp.syn ? 1 : 0) | (tcp.ack ? 2 : 0) | (tcp.fin ? 4 : 0) | (tcp.rst ? 8 : 0);
  uint64_t hash = stir(s.pair, uint64_t{tcp.sequence} << 32 | tcp.acknowledgment);
  hash = stir(hash, uint64_t{tcp.checksum} << 48 | uint64_t{tcp.window} << 32 | segment.payload_length);
  s.content = stir(stir(hash, uint64_t{segment.routed.id} << 8 | flags), tcp.options, tcp.options.size());
  s.place = s.pair + (tcp.sequence >> 10) + (tcp.acknowledgment >> 10);
  s.position = tcp.sequence;
  s.now = ticks(at);
  s.id = segment.routed.id;
  s.way = way_of(segment, at);
  s.congested = segment.routed.congested();
  s.alike = plain;
  s.complains = has_sack(tcp.options);
  s.complained = tcp.acknowledgment;
  return look(s);
}

CopyFilter::Seen CopyFilter::look(const Sighting& sighting) {
  if (sets_.empty()) [[unlikely]] {
    sets_.resize(kSets);
  }
  Set& set = sets_[sighting.place % kSets];
  Entry* oldest = &set.entries[0];
  for (Entry& entry : set.entries) {
    const uint32_t age = sighting.now - entry.time;
    if (entry.content == sighting.content && std::min(age, 0 - age) <= window_) {
      if (same_transmission(sighting, entry)) {
        const bool news = sighting.congested && (entry.way & 1) == 0;
        entry.way |= sighting.congested ? 1u : 0u;
        last_ = &entry;
        return {true, news};
      }
      if (sighting.asks) {
        complain(sighting.back, sighting.position,
                 sighting.now);  // what it is answered with comes again, too
      }
      oldest = &entry;
      break;
    }
    if (age > sighting.now - oldest->time) {
      oldest = &entry;
    }
  }
  watch(sighting);
  if (sighting.complains) {
    complain(sighting.back, sighting.complained, sighting.now);
  }
  *oldest = {sighting.content, sighting.now, sighting.way | (sighting.congested ? 1u : 0u)};
  last_ = oldest;
  return {false, sighting.congested};
}

bool CopyFilter::same_transmission(const Sighting& sighting, const Entry& entry) const {
  const bool elsewhere = sighting.way != (entry.way & ~uint32_t{1});
  if (elsewhere || (sighting.id != 0 && counts_packets(sighting))) {
    return true;
  }
  return !sighting.alike && !complained_since(sighting, entry.time);
}

// A complaint asks for all from its position on.
bool CopyFilter::complained_since(const Sighting& sighting, uint32_t time) const {
  const uint32_t age = sighting.now - time;
  return std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& complaint) {
    return complaint.pair == sighting.pair && sighting.now - complaint.time <= age &&
           static_cast<int32_t>(sighting.position - complaint.position) >= 0;
  });
}

void CopyFilter::complain(uint32_t pair, uint32_t position, uint32_t now) {
  complaints_[next_complaint_++ % kComplaints] = {pair, position, now};
}

// Has the sender given each of its latest packets another identification?
bool CopyFilter::counts_packets(const Sighting& sighting) const {
  constexpr uint16_t kSure = 4;
  const Sender& sender = senders_[sighting.pair % kSenders];
  return sender.pair == sighting.pair && sender.changes >= kSure;
}

void CopyFilter::watch(const Sighting& sighting) {
  Sender& sender = senders_[sighting.pair % kSenders];
  if (sender.pair != sighting.pair) {
    sender = {sighting.pair, sighting.id, 0};
  } else if (sender.id != sighting.id) {
    sender.id = sighting.id;
    sender.changes += sender.changes < UINT16_MAX ? 1 : 0;
  } else {
    sender.changes = 0;
  }
}

}  // namespace steertag::track
