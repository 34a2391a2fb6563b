// Retransmissions: what one side sends again. A repeated packet is compared with its first copy,
// which it must equal but for a few bits (IBTA vol. 1 §9.7.5). A run of them, further back than
// any window, shows that the QP was set up again.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/copies.h"
#include "rdma/roce/held.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/suspects.h"

namespace steertag::rdma::roce {

class Retransmissions {
 public:
  // A run of this many packets behind what is expected, each following the last: it starts over there.
  static constexpr uint32_t kStartedOverRun = 16;

  enum class Run : uint8_t { goes_on, starts_over };

  Retransmissions(Listener& listener, Side from) : listener_(listener), from_(from) {}

  // A packet that is accepted. `confirmed`: as Sequence::confirmed.
  void remember(const Packet& packet, const Stamp& at, uint32_t confirmed) {
    run_ = 0;
    copies_.add(packet, at, confirmed);
    if (Suspects::names_memory(packet) && copies_.proven_before(at)) {
      suspects_.sent(packet, at, confirmed);
    }
  }
  // A packet that was accepted before.
  Run take(const Packet& packet, const Stamp& at, uint32_t expected, uint32_t confirmed);
  // One whose first copy still waits behind a hole.
  void take(const Held& first, const Packet& packet, const Stamp& at, uint32_t confirmed);
  // The QP was set up again.
  void forget() { copies_.clear(), suspects_.clear(), run_ = 0; }
  // The ICRC of the packet with this PSN, or of the first one of its operation, where it was computed and is
  // wrong, and an earlier one was right.
  std::optional<Fault::WrongCrc> wrong_icrc(uint32_t psn) const;
  // Whether the packet that the peer waits for has that PSN, and was sent again.
  bool was_sent_again(uint32_t psn) const { return suspects_.was_sent_again(psn); }

  void expect() const { copies_.expect(); }
  size_t bytes() const { return copies_.bytes(); }  // of the heap
  // The first copy of the packet with this PSN, if it is remembered.
  std::optional<Stamp> first_copy(uint32_t psn) const { return copies_.first(psn); }
  // The operation that the packet with this PSN belongs to, as far as it is remembered.
  std::optional<OpFrames> operation(uint32_t psn) const { return copies_.operation(psn); }

 private:
  void report(const Copy& first, const Copy& second, const Packet& packet, uint32_t confirmed);

  Listener& listener_;
  Side from_;
  uint32_t run_ = 0;  // packets in a row behind what is expected; the PSN of the last
  uint32_t run_last_ = 0;
  Copies copies_;
  Suspects suspects_;
};

}  // namespace steertag::rdma::roce
