#include "link/decoder.h"

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/ethernet.h"
#include "link/headers.h"
#include "link/transport.h"

namespace steertag::link {

Decoder::Decoder(Options options) : roce_ports_(std::move(options.roce_ports)) {}

const Packet& Decoder::decode(const Frame& frame) {
  packet_ = Packet{};
  ++counters_.frames;
  const Verdict verdict =
      decode_link(frame.link_type, Stretch(frame.bytes, frame.original_length), frame.at.time_ns);
  count(verdict);
  if (verdict != Verdict::ok) {
    packet_ = Packet{};
  }
  return packet_;
}

// LINKTYPE_ values: https://www.tcpdump.org/linktypes.html
Verdict Decoder::decode_link(uint32_t link_type, Stretch frame, int64_t time_ns) {
  EtherPayload payload;
  Verdict verdict = Verdict::ok;
  switch (link_type) {
    case 1:
      verdict = read_ethernet(frame, payload);
      break;
    case 113:
      verdict = read_cooked_v1(frame, payload);
      break;
    case 276:
      verdict = read_cooked_v2(frame, payload);
      break;
    case 0:
    case 108:
      verdict = read_loopback(frame, payload);
      break;
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return decode_ip(frame, time_ns);
    case 197:
      return decode_erf(frame, time_ns);
    case 247:
      return read_infiniband(frame, packet_);
    default:
      return Verdict::unknown_link;
  }
  return verdict == Verdict::ok ? decode_ether_type(payload, time_ns) : verdict;
}

Verdict Decoder::decode_erf(Stretch frame, int64_t time_ns) {
  ErfRecord record;
  if (const Verdict verdict = read_erf(frame, record); verdict != Verdict::ok) {
    return verdict;
  }
  if (record.kind == ErfRecord::Kind::infiniband) {
    return read_infiniband(record.content, packet_);
  }
  EtherPayload payload;
  const Verdict verdict = read_ethernet(record.content, payload);
  return verdict == Verdict::ok ? decode_ether_type(payload, time_ns) : verdict;
}

Verdict Decoder::decode_ether_type(const EtherPayload& payload, int64_t time_ns) {
  switch (payload.type) {
    case ether_type::kIpv4:
    case ether_type::kIpv6:
      return decode_ip(payload.rest, time_ns);
    case ether_type::kRoce1:
      return read_roce1(payload.rest, packet_);
    default:
      return Verdict::other;
  }
}

Verdict Decoder::decode_ip(Stretch datagram, int64_t time_ns) {
  IpHeader ip;
  if (const Verdict verdict = read_ip(datagram, ip); verdict != Verdict::ok) {
    return verdict;
  }
  if (!ip.fragment) {
    return decode_transport(ip);
  }
  ++counters_.fragments;
  Stretch whole;
  if (!fragments_.add(ip, time_ns, counters_, whole)) {
    return Verdict::fragment;
  }
  ++counters_.reassembled;
  if (const Verdict verdict = read_ip(whole, ip); verdict != Verdict::ok) {
    return verdict;
  }
  return ip.fragment ? Verdict::malformed : decode_transport(ip);
}

Verdict Decoder::decode_transport(const IpHeader& ip) {
  packet_.source = ip.source;
  packet_.destination = ip.destination;
  packet_.network = ip.datagram.captured;
  if (ip.protocol == ip_protocol::kTcp) {
    return read_tcp(ip.payload, packet_);
  }
  if (ip.protocol != ip_protocol::kUdp) {
    return Verdict::other;
  }
  uint16_t port = 0;
  const Verdict verdict = read_udp(ip.payload, packet_, port);
  if (verdict == Verdict::cut) {
    return verdict;
  }
  if (std::find(roce_ports_.begin(), roce_ports_.end(), port) == roce_ports_.end()) {
    return Verdict::other;
  }
  packet_.carrier = Carrier::roce2;
  return verdict;
}

void Decoder::count(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      ++(packet_.carrier == Carrier::tcp ? counters_.tcp : counters_.roce);
      return;
    case Verdict::unknown_link:
      ++counters_.unknown_link;
      return;
    case Verdict::other:
      ++counters_.other;
      return;
    case Verdict::cut:
      ++counters_.cut;
      return;
    case Verdict::malformed:
      ++counters_.malformed;
      return;
    case Verdict::fragment:
      return;
  }
}

}  // namespace steertag::link
