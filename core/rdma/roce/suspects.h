// Suspects: the few request packets of one direction whose ICRC is computed although nobody asked for it:
// what a NAK refuses for good, and what waits to be acknowledged, is sent again, and never is. The capture
// may show that they were damaged, or sent wrong. The latest packets that open an operation are kept as
// captured, so that a NAK finds its packet; of what is sent again, only the packet that the peer waits for is
// looked at.
//
// An ICRC of zero says nothing: some adapters fill it in behind the tap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

class Suspects {
 public:
  static constexpr size_t kMost = 4;  // packets that are kept ...
  static constexpr size_t kMostBytes =
      4352;  // ... of so many bytes from the IP header on: any path MTU is less

  // A packet that is accepted.
  void keep(const Packet& packet, const Stamp& at) {
    if (starts_message(packet.opcode) && packet.captured != nullptr && !packet.icrc) {
      copy(packet, at);
    }
  }
  // The packet that the peer waits for, sent again.
  void sent_again(const Packet& packet, const Stamp& at);
  bool was_sent_again(uint32_t psn) const { return again_ && again_->psn == psn; }
  // The ICRC of the first copy with this PSN whose ICRC is wrong, if none that was captured is right.
  std::optional<Fault::WrongCrc> wrong(uint32_t psn) const;
  void clear() { used_ = 0, again_.reset(); }

  size_t bytes() const;  // of the heap

 private:
  struct Kept {
    uint32_t psn = 0;
    uint32_t bth_offset = 0;  // in `bytes`, which begin with the IP header
    Stamp at;
    std::vector<uint8_t> bytes;
  };
  // What became of one packet, as far as its ICRC was computed.
  struct Again {
    uint32_t psn = 0;
    bool right = false;
    std::optional<Fault::WrongCrc> wrong;  // the first of its copies
  };

  void copy(const Packet& packet, const Stamp& at);

  std::array<Kept, kMost> kept_;
  uint64_t used_ = 0;  // counts those that were kept
  std::optional<Again> again_;
};

}  // namespace steertag::rdma::roce
