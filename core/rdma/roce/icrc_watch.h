// IcrcWatch: judges the ICRCs of one direction of a connection, where they are verified. A single
// wrong one is a damaged packet, which its receiver drops. Where none at all is right, the
// packets were probably captured before the hardware filled the field in, which is nobody's
// mistake; so wrong ones are not reported before a right one is seen, or the connection is over.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

class IcrcWatch {
 public:
  static constexpr size_t kMaxDropped = 16;  // packets that are remembered

  IcrcWatch(Listener& listener, Side from) : listener_(listener), from_(from) {}

  // The next packet: does its receiver drop it? As long as no ICRC of this side was right, the tap is doubted
  // instead. Precondition: packet.icrc.
  bool drops(const Packet& packet, const Stamp& at);
  // The ICRC of a packet to another QP: a wrong one counts, a right one proves nothing about this QP's
  // packets.
  void check(const IcrcCheck& icrc, const Stamp& at);
  // No more packets come.
  void finish();

  // How many of the requests with PSNs in [begin, end) were dropped, of the latest.
  uint64_t dropped(uint32_t begin, uint32_t end) const;

 private:
  void add(const IcrcCheck& icrc, uint32_t psn, const Stamp& at);
  void report_waiting();

  Listener& listener_;
  std::unique_ptr<Anomaly> waiting_;  // the first wrong one; its count says how many there are
  std::vector<uint32_t> dropped_;     // PSNs
  Side from_;
  bool right_ = false;  // one was
};

}  // namespace steertag::rdma::roce
