// Decoder: takes the link, network and transport layers off a captured frame. The Intake
// calls decode() for every frame, in the order of the capture.
//
// Understood: Ethernet (1) with any stack of VLAN tags, Linux cooked (113, 276), raw IP (101,
// 228, 229, 12, 14), BSD loopback (0, 108), InfiniBand (247) and ERF (197) with InfiniBand or
// Ethernet records; in any of them tunnels: GRE, ERSPAN, VXLAN, GENEVE, MPLS, IP in IP. The
// content of the innermost is handed on, once the fragments of what encloses it are put
// together. The only state is that of IP fragments, bounded by the constants in fragments.h,
// and of known flows (prediction.h).
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "link/counters.h"
#include "link/ethernet.h"
#include "link/fragments.h"
#include "link/ip.h"
#include "link/others.h"
#include "link/packet.h"
#include "link/prediction.h"

namespace steertag::link {

// UDP destination ports.
constexpr uint16_t kRocePort = 4791;
constexpr uint16_t kVxlanPort = 4789;
constexpr uint16_t kGenevePort = 6081;

class Decoder {
 public:
  struct Options {
    std::vector<uint16_t> roce_ports = {kRocePort};  // UDP destination ports taken as RoCEv2 ...
    std::vector<uint16_t> vxlan_ports = {kVxlanPort};
    std::vector<uint16_t> geneve_ports = {kGenevePort};
  };
  // Nested tunnels, a stack of labels counting as one. What is deeper is left alone.
  static constexpr uint32_t kMaxDepth = 8;

  Decoder() : Decoder(Options{}) {}
  explicit Decoder(Options options);

  // Fills `into` anew with what `frame` carries; carrier none where it is nothing that concerns us, or a
  // fragment of a datagram that is not complete yet. Its views are good as long as the frame's bytes, unless
  // assembled().
  void decode(const Frame& frame, Packet& into);
  Packet decode(const Frame& frame) {
    Packet packet;
    decode(frame, packet);
    return packet;
  }
  // The same for any frame, layer by layer: the way of those that are not plain (plain.h).
  void decode_by_layers(const Frame& frame, Packet& into);

  // Whether the latest packet was put together from fragments, or came in a datagram that was. Then its views
  // do not point into the frame, and are good until the next call.
  bool assembled() const { return assembled_; }

  const Counters& counters() const { return counters_; }
  const Others& others() const { return others_; }  // among datagrams that are not handed on

 private:
  Progress decode_link(uint32_t link_type, Stretch frame, int64_t time_ns);
  Progress decode_ether(Progress opened, const EtherPayload& payload, int64_t time_ns);
  Progress decode_erf(Stretch frame, int64_t time_ns);
  Progress decode_ip(Stretch datagram, int64_t time_ns);
  Progress decode_transport(const IpHeader& ip, int64_t time_ns);
  Progress decode_udp(const IpHeader& ip, int64_t time_ns);
  Progress decode_icmp(const IpHeader& ip);
  Progress decode_inside(Progress opened, EtherPayload& inside, int64_t time_ns);
  Progress decode_tunnel(const IpHeader& ip, Progress opened, EtherPayload& inside, int64_t time_ns);
  void count(Progress progress);

  Options options_;
  uint32_t depth_ = 0;  // in this frame
  bool assembled_ = false;
  Prediction prediction_;
  Reassembler fragments_;
  Counters counters_;
  Others others_;
  Packet* packet_ = nullptr;  // the one being filled in
};

}  // namespace steertag::link
