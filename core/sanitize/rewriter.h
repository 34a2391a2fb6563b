// Rewriter: the second reading of a capture that is to be sanitized: a frame, written anew. It begins with
// zeros and copies what is known to be structure: the headers of each layer, with addresses mapped; of RDMA
// payload, what the Plan has; checksums are made in the end. So what is not understood here is not in the
// result.
//
// All frames come in the order in which the Survey had them. It keeps nothing of them but where the TCP
// streams stand.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/address.h"
#include "frame.h"
#include "link/decoder.h"
#include "link/ethernet.h"
#include "link/ip.h"
#include "rdma/roce/packet.h"
#include "sanitize/address_map.h"
#include "sanitize/plan.h"
#include "sanitize/soundness.h"

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
  uint64_t withheld() const { return withheld_frames_; }
  // Packets with a wrong checksum of a sender whose checksums are right, whose content was overwritten.
  uint64_t damaged() const { return damaged_; }
  // Of hosts that are withheld from a frame on, the latest frame before it with a damaged segment: it is
  // missing from their stream, which may be said in any frame behind it.
  const std::set<uint64_t>& earlier_cuts() const { return earlier_cuts_; }

 private:
  using Stretch = link::Stretch;

  // rewriter.cc: links, networks, tunnels
  void take_link(const Frame& frame);
  void take_ethernet(Stretch frame);
  void take_inside(link::Progress opened, Bytes from, link::EtherPayload inside);
  void take_ether_type(uint16_t type, Stretch rest);
  void take_arp(Bytes arp);
  void take_mpls(Stretch from_label);
  void take_ip(Stretch datagram);
  void take_ip_header(Bytes datagram);
  void take_extensions(Bytes datagram, size_t length, uint8_t protocol, size_t begin);
  void take_grh(Bytes grh);
  // rewriter_transport.cc: what is in IP
  void take_transport(const link::IpHeader& ip);
  void take_udp(const link::IpHeader& ip);
  void keep_resemblance(Bytes datagram);
  void take_tcp(const link::IpHeader& ip);
  void take_stream(const link::IpHeader& ip, const link::Packet& segment);
  void take_icmp(const link::IpHeader& ip);
  void take_neighbour(Bytes target);
  void mend_transport(const link::IpHeader& ip, size_t checksum_at);
  // rewriter_rdma.cc: from the BTH on
  void take_infiniband(Stretch packet);
  void take_rdma(link::Packet packet);
  void take_damaged(const link::Packet& packet, const rdma::roce::Packet& read);
  void mend_icrc(const link::Packet& packet);
  // rewriter_transport.cc: what is withheld
  bool withholds(const base::Address& source, const base::Address& destination);
  void withhold(const link::IpHeader& ip);
  void withhold_grh(Bytes grh);
  void withhold_lrh(Bytes lrh);

  size_t at(Bytes view) const { return static_cast<size_t>(view.data() - before_.data()); }
  // Where it stands in what is written; of an empty view nobody knows where it is.
  std::span<uint8_t> after(Bytes view) {
    return view.empty() ? std::span<uint8_t>() : std::span(*after_).subspan(at(view), view.size());
  }
  void keep(Bytes view);
  void keep_between(Bytes from, Bytes to);  // from the start of one view to that of another behind it
  void put(Bytes view, Bytes bytes);        // in its place
  void clear(Bytes view) { std::fill(after(view).begin(), after(view).end(), uint8_t{0}); }
  bool listed(const std::vector<uint16_t>& ports, uint16_t port) const;

  Key key_;
  link::Decoder::Options ports_;
  const Plan& plan_;
  AddressMap addresses_;
  Soundness soundness_;
  absl::flat_hash_map<const Stream*, uint64_t> reached_;  // offset behind the latest segment
  const std::set<uint64_t> cuts_;
  using Hosts = std::pair<base::Address, base::Address>;  // the lesser one first
  absl::flat_hash_set<Hosts> withheld_;
  absl::flat_hash_map<Hosts, uint64_t> damaged_at_;  // the latest frame with a damaged segment
  std::set<uint64_t> earlier_cuts_;
  uint64_t order_ = 0;  // of the frame, from 1
  uint64_t overwritten_ = 0, fragments_ = 0, withheld_frames_ = 0, damaged_ = 0;

  // The frame at hand.
  Bytes before_;
  bool changed_ = false;  // its segment was sent before, with other content
  std::vector<uint8_t>* after_ = nullptr;
  uint32_t depth_ = 0;
};

}  // namespace steertag::sanitize
