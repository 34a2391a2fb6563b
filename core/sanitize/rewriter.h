// Rewriter: the second reading of a capture that is to be sanitized: a frame, written anew. It begins with
// zeros and copies what is known to be structure: the headers of each layer, with addresses mapped; of RDMA
// payload, what the Plan has; checksums are made in the end. So what is not understood here is not in the
// result.
//
// It walks through links, networks and tunnels itself; what they carry is in the classes that it has. All
// frames come in the order in which the Survey had them.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "frame.h"
#include "link/decoder.h"
#include "link/ethernet.h"
#include "link/ip.h"
#include "sanitize/address_map.h"
#include "sanitize/canvas.h"
#include "sanitize/plan.h"
#include "sanitize/rdma_rewriter.h"
#include "sanitize/segment_rewriter.h"
#include "sanitize/soundness.h"
#include "sanitize/withheld_hosts.h"

namespace steertag::sanitize {

class Rewriter {
 public:
  // `cuts`: frames, counted from 1. From each of them on, the two hosts of that frame are withheld: what they
  // send each other over RDMA or TCP is shown as zeros in an unknown protocol.
  Rewriter(const Key& key, link::Decoder::Options ports, const Plan& plan, std::set<uint64_t> cuts = {});

  // Fills `into` with as many bytes as the frame has.
  void rewrite(const Frame& frame, std::vector<uint8_t>& into);

  uint64_t addresses() const { return addresses_.mapped(); }
  uint64_t overwritten() const { return overwritten_; }  // bytes that are others than they were
  uint64_t fragments() const { return fragments_; }      // IP fragments, whose content was overwritten
  uint64_t withheld() const { return withheld_.packets(); }
  // Packets with a wrong checksum of a sender whose checksums are right, whose content was overwritten.
  uint64_t damaged() const { return damaged_segments_ + rdma_.damaged(); }
  const std::set<uint64_t>& earlier_cuts() const { return withheld_.earlier_cuts(); }  // of WithheldHosts

 private:
  using Stretch = link::Stretch;

  void take_link(const Frame& frame);
  void take_ethernet(Stretch frame);
  void take_infiniband(Stretch packet);
  void take_inside(link::Progress opened, Bytes from, link::EtherPayload inside);
  void take_ether_type(uint16_t type, Stretch rest);
  void take_arp(Bytes arp);
  void take_mpls(Stretch from_label);
  void take_ip(Stretch datagram);
  void take_ip_header(Bytes datagram);
  void keep_all(std::span<const Bytes> views);
  void take_grh(Bytes grh);
  void take_transport(const link::IpHeader& ip);
  void take_udp(const link::IpHeader& ip);
  void keep_resemblance(Bytes datagram);
  void take_tcp(const link::IpHeader& ip);
  void mend_transport(const link::IpHeader& ip, size_t checksum_at);
  bool listed(const std::vector<uint16_t>& ports, uint16_t port) const;

  Key key_;
  link::Decoder::Options ports_;
  const Plan& plan_;
  AddressMap addresses_;
  Soundness soundness_;
  WithheldHosts withheld_;
  uint64_t order_ = 0;  // of the frame, from 1
  uint64_t overwritten_ = 0, fragments_ = 0, damaged_segments_ = 0;

  // The frame at hand.
  Canvas canvas_;
  bool changed_ = false;  // its segment was sent before, with other content
  uint32_t depth_ = 0;

  SegmentRewriter segments_;
  RdmaRewriter rdma_;
};

}  // namespace steertag::sanitize
