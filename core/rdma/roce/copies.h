// Copies: fingerprints of the latest request packets of one direction, so that a packet which is
// sent again can be compared with its first copy. They cover what a retransmission must repeat
// (opcode, extension headers, payload), not what it may change (AckReq, SE, FECN, BECN).
//
// A packet that was captured whole is fingerprinted by its ICRC (seal.h), once one ICRC from the
// same tap was computed and is right; any other by a hash of the captured bytes. A change may be
// missed, but none is ever made up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/seal.h"

namespace steertag::rdma::roce {

// The fingerprint of one packet.
struct Copy {
  uint32_t psn = 0;
  uint32_t headers = 0;   // hash, lengths on the wire included
  uint32_t payload = 0;   // hash of what was captured, unless `sealed` ...
  uint32_t captured = 0;  // ... and how many bytes that is
  Stamp at;
  Seal seal;
  bool sealed = false;
  bool opens = false, ends = false;  // its operation
  bool intact = false;               // its ICRC was verified by the caller

  // False for a packet that cannot be compared: extension headers cut off, or damaged.
  static bool possible(const Packet& packet) {
    return !packet.headers_cut && !packet.malformed && !packet.damaged();
  }
  // Precondition: possible(). With a seal, whose ICRC must be right, no payload is read.
  void set(const Packet& packet, const Stamp& stamp, const std::optional<Seal>& with);
  // The same as a value; empty where it is not possible.
  static std::optional<Copy> of(const Packet& packet, const Stamp& at, const std::optional<Seal>& with = {});
  // Where not equally much was captured of both, only the headers count. Precondition: both are sealed, or
  // neither.
  bool same_as(const Copy& other) const;
  uint64_t hash() const { return uint64_t{headers} << 32 | (sealed ? seal.icrc : payload); }
};

class Copies {
 public:
  // At least the packets without an acknowledgment are remembered, up to this many.
  static constexpr size_t kMaxCopies = 1024;
  // After kDoubts wrong ICRCs, only one packet in kDoubtful still has its ICRC computed; the others are
  // hashed.
  static constexpr uint32_t kDoubts = 8;
  static constexpr uint32_t kDoubtful = 256;

  // Packets come in order of their PSNs. `confirmed`: as Sequence::confirmed.
  void add(const Packet& packet, const Stamp& at, uint32_t confirmed);
  // Compares a packet that is sent again; yields both copies where they differ.
  struct Changed {
    Copy first, second;
  };
  std::optional<Changed> compare(const Packet& again, const Stamp& at) const;
  // When the packet with this PSN was first seen, as far as it is remembered.
  std::optional<Stamp> first(uint32_t psn) const {
    const size_t at = find(psn);
    return at < newest_.size() ? std::optional(newest_[at].at) : std::nullopt;
  }
  // The operation that the packet with this PSN belongs to, as far as it is remembered.
  std::optional<OpFrames> operation(uint32_t psn) const;
  // Whether an ICRC that the same tap saw before `at` was computed, and is right.
  bool proven_before(const Stamp& at) const {
    return proof_ && proof_->same_tap(at) && captured_before(*proof_, at);
  }
  void expect() const { newest_.expect(); }
  void clear() { newest_.clear(); }
  size_t bytes() const { return newest_.bytes(); }  // of the heap

 private:
  size_t find(uint32_t psn) const;  // newest_.size() where it is not remembered
  std::optional<Seal> seal(const Packet& packet, const Stamp& at);

  base::Newest<Copy, kMaxCopies> newest_;
  // The latest packet whose ICRC was computed and is right: other ICRCs of its tap are believed.
  std::optional<Stamp> proof_;
  uint32_t doubts_ = 0;  // packets in a row whose ICRC was wrong, or not computed for that reason
};

}  // namespace steertag::rdma::roce
