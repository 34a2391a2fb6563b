// Copies: what the latest request packets of one direction looked like, as
// hashes, so that a packet which is sent again can be compared with its first
// copy. Only what a retransmission must repeat goes in: opcode, extension
// headers, payload; not AckReq, SE, FECN and BECN.
//
// Equal hashes of different packets hide a change; they never make one up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

struct Copy {
  uint32_t psn = 0;
  uint32_t headers = 0;   // hash, lengths on the wire included
  uint32_t payload = 0;   // hash of what was captured ...
  uint32_t captured = 0;  // ... of it, bytes
  Stamp at;
  bool opens = false, ends = false;  // its operation
  bool intact = false;               // its ICRC was verified

  // Empty for a packet that cannot be compared: extension headers cut off, or damaged.
  static std::optional<Copy> of(const Packet& packet, const Stamp& at);
  // As far as both were captured alike.
  bool same_as(const Copy& other) const {
    return headers == other.headers && (captured != other.captured || payload == other.payload);
  }
  uint64_t hash() const { return uint64_t{headers} << 32 | payload; }
};

class Copies {
 public:
  // Packets that are remembered: at least those without an acknowledgment, up to this many.
  static constexpr size_t kMaxCopies = 1024;

  // Copies come in order of their PSNs. `confirmed`: all before this PSN are acknowledged.
  void add(const Copy& copy, uint32_t confirmed);
  const Copy* find(uint32_t psn) const;  // null where it is not remembered
  // The operation that the packet with this PSN is of, as far as it is remembered.
  std::optional<OpFrames> operation(uint32_t psn) const;
  void clear() { newest_.clear(); }

 private:
  base::Newest<Copy, kMaxCopies> newest_;
};

}  // namespace steertag::rdma::roce
