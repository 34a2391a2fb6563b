// Suspects: the packets of one direction whose ICRC is computed although nobody asked for it: the one that
// its receiver waits for, each time that it is sent again; and those that name memory of their receiver,
// which may refuse them at once. If one is never acknowledged, or refused for good, the capture may show that
// it was damaged, or sent wrong.
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
  // Whether it names memory, which its receiver may refuse.
  static bool names_memory(const Packet& packet) { return packet.reth || packet.ieth || packet.atomic; }
  // Such a packet, sent for the first time. `confirmed`: as Sequence::confirmed.
  void sent(const Packet& packet, const Stamp& at, uint32_t confirmed);
  // The ICRC of the one that was captured there, where it is wrong.
  std::optional<Fault::WrongCrc> wrong_at(const Stamp& at) const;
  // The packet that the peer waits for, sent again.
  void sent_again(const Packet& packet, const Stamp& at);
  bool was_sent_again(uint32_t psn) const { return again_ && again_->psn == psn; }
  // Whether the ICRC of one of them with this PSN is wrong.
  bool any_wrong(uint32_t psn) const { return was_sent_again(psn) && again_->wrong; }
  // The ICRC of the first of them with this PSN whose ICRC is wrong, if none of them is right.
  std::optional<Fault::WrongCrc> wrong_again(uint32_t psn) const;
  void clear() { again_.reset(), opening_.reset(); }

 private:
  // What became of one packet, as far as its ICRC was computed.
  struct Again {
    uint32_t psn = 0;
    bool right = false;
    std::optional<Fault::WrongCrc> wrong;  // the first of its copies
  };

  // Of those that name memory and have a wrong ICRC, the oldest without an acknowledgment.
  struct Opening {
    uint32_t psn = 0;
    Fault::WrongCrc wrong;
  };

  std::optional<Again> again_;
  std::optional<Opening> opening_;
};

}  // namespace steertag::rdma::roce
