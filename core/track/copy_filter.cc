#include "track/copy_filter.h"

#include "base/digest.h"
#include "base/fold.h"
#include "link/tcp_options.h"
#include "rdma/roce/headers.h"
#include "rdma/roce/nak.h"
#include "rdma/roce/packet.h"
#include "wire/fixed.h"

namespace steertag::track {

namespace roce = rdma::roce;

namespace {

using base::fold;
using base::kSalt;
using base::word;

// In the low bits of a way, of a packet of the table: it was marked, and it came twice.
constexpr uint32_t kMarked = 1, kTwice = 2;

// By how much each packet that comes twice says that its sender's packets do, and by how much all of them
// may.
constexpr uint8_t kLatest = 8, kMostTwice = 128;

uint64_t hash_of(const base::Address& address) {
  return fold(word(address.octets) ^ kSalt[0], word(address.octets, 8) ^ kSalt[1]);
}

// Who sends to whom. `ports`: beside the addresses.
uint32_t pair_of(uint64_t from, uint64_t to, uint32_t ports) {
  return static_cast<uint32_t>(fold(from ^ kSalt[2], to ^ kSalt[3] ^ ports));
}

// Bytes behind the BTH that are looked at beside the ICRC, which may not have been filled in: RETH and AETH.
constexpr size_t kHeaders = 24;

// These as words, of which the last ones overlap where there are fewer bytes.
std::array<uint64_t, kHeaders / 8> words(Bytes behind) {
  if (behind.size() < sizeof(uint64_t)) [[unlikely]] {
    return {word(behind), 0, 0};
  }
  const size_t last = std::min(behind.size(), kHeaders) - sizeof(uint64_t);
  const auto at = [&](size_t offset) {
    return word({behind.data() + std::min(offset, last), sizeof(uint64_t)});
  };
  return {at(0), at(8), at(16)};
}

// All that the sender wrote. FECN and BECN, which are the network's, are left out.
uint64_t content_of(const link::Packet& packet, uint32_t pair) {
  constexpr std::array<uint8_t, 8> kSenders = {0xFF, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0xFF};
  const uint64_t bth = word(packet.payload) & word(kSenders);
  const uint64_t sent = uint64_t{wire::big_endian<uint32_t>(packet.payload.data() + 8)} << 32 |
                        uint64_t{packet.routed.id} << 16 | packet.udp_source_port;
  const uint64_t start = fold(bth ^ kSalt[0] ^ pair, sent ^ kSalt[1]);
  const Bytes behind = slice(packet.payload, roce::Bth::size);
  if (packet.payload.size() < packet.payload_length) {
    return fold(start ^ kSalt[2], base::digest(behind) ^ packet.payload_length);
  }
  const uint64_t icrc = behind.size() < roce::kIcrcSize
                            ? 0
                            : wire::big_endian<uint32_t>(behind.data() + behind.size() - roce::kIcrcSize);
  const std::array<uint64_t, kHeaders / 8> headers = words(behind);
  return start ^ fold(headers[0] ^ kSalt[2], headers[1] ^ kSalt[3]) ^
         fold(headers[2] ^ kSalt[4], (icrc << 32 | packet.payload_length) ^ kSalt[5]);
}

uint64_t content_of(const link::TcpFields& tcp, const link::Packet& segment, uint32_t pair) {
  const uint64_t flags = (tcp.syn ? 1 : 0) | (tcp.ack ? 2 : 0) | (tcp.fin ? 4 : 0) | (tcp.rst ? 8 : 0);
  const uint64_t numbers = uint64_t{tcp.sequence} << 32 | tcp.acknowledgment;
  const uint64_t sizes = uint64_t{tcp.checksum} << 48 | uint64_t{tcp.window} << 32 | segment.payload_length;
  uint64_t hash = fold(numbers ^ kSalt[0] ^ pair, sizes ^ kSalt[1]) ^
                  fold((uint64_t{segment.routed.id} << 8 | flags) ^ kSalt[2], tcp.options.size() ^ kSalt[3]);
  // The last word overlaps with the one before it where there are bytes left.
  const size_t last = std::max(tcp.options.size(), sizeof(uint64_t)) - sizeof(uint64_t);
  for (size_t at = 0; at < tcp.options.size(); at += 16) {
    hash = fold(hash ^ word(tcp.options, std::min(at, last)),
                word(tcp.options, std::min(at + 8, last)) ^ kSalt[4]);
  }
  return hash;
}

// Of any kind, RNR NAKs among them: of a packet with an AETH, in front of which no other extension header
// stands.
bool is_nak(const link::Packet& packet) {
  constexpr size_t kEnd = roce::Bth::size + roce::Aeth::size;
  roce::Aeth aeth;
  return std::min<size_t>(packet.payload.size(), packet.payload_length) >= kEnd &&
         !wire::read_fixed(packet.payload.data() + roce::Bth::size, aeth).is_ack();
}

// For how long nothing is sent again because of that NAK, if it is an RNR NAK; else 0.
uint32_t patience_of(const link::Packet& nak) {
  roce::Aeth aeth;
  wire::read_fixed(nak.payload.data() + roce::Bth::size, aeth);
  return aeth.is_rnr_nak() ? static_cast<uint32_t>(roce::rnr_timer_ns(aeth.code()) / CopyFilter::kTick_ns)
                           : 0;
}

// Bytes of payload of a RoCE packet in the midst of a message, at least.
constexpr uint32_t kLeastPathMtu = 256;

// For how many PSNs an RDMA Read Request asks, at most. Precondition: it is one.
uint32_t psns_asked(const link::Packet& packet) {
  constexpr size_t kEnd = roce::Bth::size + roce::Reth::size;
  roce::Reth reth;
  return packet.payload.size() < kEnd
             ? 1
             : wire::read_fixed(packet.payload.data() + roce::Bth::size, reth).length / kLeastPathMtu + 1;
}

// Which tap saw it is a part of that.
uint32_t way_of(const link::Packet& packet, uint32_t tap) {
  const uint64_t way = uint64_t{packet.way} << 8 | packet.routed.hops;
  return static_cast<uint32_t>(fold(way ^ kSalt[0], tap ^ kSalt[1])) & ~(kMarked | kTwice);
}

uint32_t ticks(const Stamp& at) {
  return static_cast<uint32_t>(at.time_ns / CopyFilter::kTick_ns);
}

}  // namespace

void CopyFilter::meet_flow(Flow& flow, const link::Packet& packet, const Stamp& at) {
  const link::TcpFields& tcp = packet.tcp;  // without ports for any other carrier
  const uint32_t ports = uint32_t{tcp.source_port} << 16 | tcp.destination_port;
  const uint64_t from = hash_of(packet.source), to = hash_of(packet.destination);
  flow.number = packet.flow;
  flow.tap = at.tap;
  flow.pair = pair_of(from, to, ports);
  flow.back = pair_of(to, from, ports << 16 | ports >> 16);
  flow.way = way_of(packet, at.tap);
}

[[gnu::always_inline]] inline const CopyFilter::Flow& CopyFilter::flow_of(const link::Packet& packet,
                                                                          const Stamp& at) {
  Flow& known = flows_[packet.flow % kFlows];  // 0, a flow without a number, is never known
  if (packet.flow == 0 || known.number != packet.flow || known.tap != at.tap) [[unlikely]] {
    meet_flow(known, packet, at);
  }
  return known;
}

inline void CopyFilter::watch(const Sighting& sighting) {
  Sender& sender = senders_[sighting.pair % kSenders];
  if (sender.pair != sighting.pair) {
    sender = {sighting.pair, sighting.id, 0, 0};
  } else if (sender.id != sighting.id) {
    sender.id = sighting.id;
    sender.changes += sender.changes < UINT16_MAX ? 1 : 0;
  } else {
    sender.changes = 0;
  }
  if (sender.twice != 1 && sighting.patience == 0 && !sighting.alike) [[unlikely]] {
    sender.twice = static_cast<uint8_t>(std::max<uint8_t>(sender.twice, 2) - 1);
  }
}

// For at least kLatest packets from now on its sender counts as one whose packets come twice.
void CopyFilter::note_twice(const Sighting& sighting) {
  Sender& sender = senders_[sighting.pair % kSenders];
  if (sender.pair == sighting.pair && sighting.patience == 0) {
    sender.twice = static_cast<uint8_t>(std::min(sender.twice + kLatest, int{kMostTwice}));
  }
}

CopyFilter::Met CopyFilter::meet(const Sighting& sighting, Set& set, size_t oldest) {
  for (size_t i = 0; i < Set::kEntries; ++i) {
    const uint32_t age = sighting.now - set.time[i];
    if (set.content[i] != sighting.content || std::min(age, 0 - age) > window_) {
      continue;
    }
    if (same_transmission(sighting, set, i)) {
      const bool news = sighting.congested && (set.way[i] & kMarked) == 0;
      set.way[i] |= kTwice | (sighting.congested ? kMarked : 0);
      return {Seen{true, news}, i};
    }
    if (sighting.asks) {  // what it is answered with comes again, too
      complain(sighting.back, sighting.position, sighting.now);
    }
    return {std::nullopt, i};
  }
  return {std::nullopt, oldest};
}

// Inline: every packet passes here, and what is known of it need not go through memory.
[[gnu::always_inline]] inline CopyFilter::Seen CopyFilter::look(const Sighting& sighting) {
  if (sets_.empty()) [[unlikely]] {
    sets_.resize(kSets);
  }
  Set& set = sets_[sighting.place % kSets];
  size_t at = set.oldest(sighting.now);
  if (set.holds(sighting.content)) [[unlikely]] {
    const Sighting again = sighting;  // has an address, so that the other needs none
    const Met met = meet(again, set, at);
    at = met.at;
    if (met.copy) {
      note_twice(again);
      last_ = &set.content[at];
      return *met.copy;
    }
  }
  watch(sighting);
  if (sighting.complains) [[unlikely]] {
    complain(sighting.back, sighting.complained, sighting.now);
  }
  if (sighting.asked != 0) [[unlikely]] {
    asked_.add({sighting.back, sighting.position, sighting.asked, sighting.now},
               [](const Asked&) { return false; });
  }
  set.content[at] = sighting.content;
  set.time[at] = sighting.now;
  set.way[at] = sighting.way | (sighting.congested ? kMarked : 0);
  last_ = &set.content[at];
  return {false, sighting.congested};
}

CopyFilter::Seen CopyFilter::look(const link::Packet& packet, const roce::Bth& bth, const Stamp& at) {
  const Flow& flow = flow_of(packet, at);
  const roce::Shape& shape = roce::shape(bth.opcode);
  Sighting s;
  s.pair = flow.pair;
  s.back = flow.back;
  s.content = content_of(packet, s.pair);
  s.place = s.pair + bth.dest_qp * 0x9E3779B1u + bth.psn;
  s.position = bth.psn << 8;  // 24 bits, to where differences wrap as they do there
  s.now = ticks(at);
  s.id = packet.routed.id;
  s.way = flow.way;
  s.congested = packet.routed.congested();
  s.alike = bth.opcode == roce::Opcode::cnp;
  s.asks = shape.role == roce::Role::request;
  s.complains = (shape.extensions & roce::kAeth) != 0 && is_nak(packet);
  if (s.complains) [[unlikely]] {
    s.patience = patience_of(packet);
  }
  s.complained = s.position;
  if (bth.opcode == roce::Opcode::read_request) [[unlikely]] {
    s.asked = std::min<uint32_t>(psns_asked(packet), INT32_MAX >> 8) << 8;
  }
  return look(s);
}

CopyFilter::Seen CopyFilter::look(const link::Packet& segment, const Stamp& at) {
  const Flow& flow = flow_of(segment, at);
  const link::TcpFields& tcp = segment.tcp;
  Sighting s;
  s.pair = flow.pair;
  s.back = flow.back;
  s.content = content_of(tcp, segment, s.pair);
  s.place = s.pair + (tcp.sequence >> 10) + (tcp.acknowledgment >> 10);
  s.position = tcp.sequence;
  s.now = ticks(at);
  s.id = segment.routed.id;
  s.way = flow.way;
  s.congested = segment.routed.congested();
  s.alike = segment.payload_length == 0 && !tcp.syn && !tcp.fin && !tcp.rst;
  s.complains = link::find_sack(tcp.options).has_value();  // the peer lacks something
  s.complained = tcp.acknowledgment;
  return look(s);
}

bool CopyFilter::same_transmission(const Sighting& sighting, const Set& set, size_t entry) const {
  const bool elsewhere = sighting.way != (set.way[entry] & ~(kMarked | kTwice));
  if (elsewhere) {
    return true;
  }
  // By how many positions the complaint came before what is sent now; unset: there was none.
  const std::optional<int32_t> ahead = complained_since(sighting, set.time[entry]);
  const bool asked_for = (ahead && *ahead == 0) || asked_again(sighting, set.time[entry]);
  if (sighting.id != 0 && counts_packets(sighting)) {
    return !asked_for || ((set.way[entry] & kTwice) == 0 && comes_twice(sighting));
  }
  return !asked_for && !sighting.alike && !ahead && !is_next_refusal(sighting, set.time[entry]);
}

// Two RNR NAKs of one request are alike, where its sender does not number its packets. Whether they are two
// is shown by what else it sent, since a mirror has all of that twice; or else by the time between them.
bool CopyFilter::is_next_refusal(const Sighting& sighting, uint32_t time) const {
  if (sighting.patience == 0) [[likely]] {
    return false;
  }
  const Sender& sender = senders_[sighting.pair % kSenders];
  const bool known = sender.pair == sighting.pair && sender.twice != 0;
  return known ? sender.twice == 1 : sighting.now - time >= sighting.patience;
}

// A complaint asks for all from its position on. What is behind that was under way, perhaps.
std::optional<int32_t> CopyFilter::complained_since(const Sighting& sighting, uint32_t time) const {
  const uint32_t age = sighting.now - time;
  std::optional<int32_t> nearest;
  complaints_.find([&](const Complaint& complaint) {
    const auto ahead = static_cast<int32_t>(sighting.position - complaint.position);
    if (complaint.pair == sighting.pair && sighting.now - complaint.time <= age && ahead >= 0) {
      nearest = std::min(ahead, nearest.value_or(ahead));
    }
    return nearest == 0;
  });
  return nearest;
}

// An RDMA Read Request precedes what it asks for, unless it asks for that again.
bool CopyFilter::asked_again(const Sighting& sighting, uint32_t time) const {
  const uint32_t age = sighting.now - time;
  return asked_.find([&](const Asked& asked) {
    return asked.pair == sighting.pair && sighting.now - asked.time < age &&
           sighting.position - asked.position < asked.positions;
  }) != nullptr;
}

void CopyFilter::complain(uint32_t pair, uint32_t position, uint32_t now) {
  complaints_.add({pair, position, now}, [](const Complaint&) { return false; });
}

// Do its sender's packets come twice, as a mirror port shows them? Several did lately.
bool CopyFilter::comes_twice(const Sighting& sighting) const {
  const Sender& sender = senders_[sighting.pair % kSenders];
  return sender.pair == sighting.pair && sender.twice > 2 * kLatest;
}

// Has the sender given each of its latest packets another identification?
bool CopyFilter::counts_packets(const Sighting& sighting) const {
  constexpr uint16_t kSure = 4;
  const Sender& sender = senders_[sighting.pair % kSenders];
  return sender.pair == sighting.pair && sender.changes >= kSure;
}

}  // namespace steertag::track
