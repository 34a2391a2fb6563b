// Suspects: the packet of one direction whose ICRC is computed although nobody asked for it: the one that its
// receiver waits for, each time that it is sent again. If it is never acknowledged, or refused for good, the
// capture may show that it was damaged, or sent wrong.
//
// An ICRC of zero says nothing: some adapters fill it in behind the tap.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

class Suspects {
 public:
  // The packet that the peer waits for, sent again.
  void sent_again(const Packet& packet, const Stamp& at);
  bool was_sent_again(uint32_t psn) const { return again_ && again_->psn == psn; }
  // Whether the ICRC of one of them with this PSN is wrong.
  bool any_wrong(uint32_t psn) const { return was_sent_again(psn) && again_->wrong; }
  // The ICRC of the first of them with this PSN whose ICRC is wrong, if none of them is right.
  std::optional<Fault::WrongCrc> wrong(uint32_t psn) const;
  void clear() { again_.reset(); }

 private:
  // What became of one packet, as far as its ICRC was computed.
  struct Again {
    uint32_t psn = 0;
    bool right = false;
    std::optional<Fault::WrongCrc> wrong;  // the first of its copies
  };

  std::optional<Again> again_;
};

}  // namespace steertag::rdma::roce
