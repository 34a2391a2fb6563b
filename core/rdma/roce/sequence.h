// Sequence: where one sender of requests stands in its PSNs, and how far its peer has
// accepted them (IBTA vol. 1 §9.7). Each request takes one PSN, a Read as many as it has
// Responses, which depends on the path MTU.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/roce/path_mtu.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

struct Sequence {
  bool begun = false;
  bool announced = false;  // the CM said with which PSN it begins
  uint32_t first = 0;      // PSN
  uint32_t expected = 0;   // PSN that comes next ...
  uint64_t place = 0;      // ... and the same without wrapping, counted from somewhere
  uint32_t confirmed = 0;  // the peer has accepted everything before this PSN, which is not included
  // Length of a Read whose PSN count waits for the path MTU: `expected` stands one past its own PSN.
  std::optional<uint32_t> unsized_read;
  std::optional<uint32_t> acknowledged;  // newest PSN that the peer acknowledged, `expected` or after ...
  Stamp acknowledged_at;                 // ... and the frame that says so

  void begin(uint32_t psn) {
    begun = true;
    first = expected = confirmed = psn & kPsnMask;
    place = kFirstPlace;
  }
  static constexpr uint64_t kFirstPlace = uint64_t{1} << 24;  // so that what is behind has a place, too
  // That PSN comes next.
  void go_to(uint32_t psn) {
    place += static_cast<uint64_t>(int64_t{psn_distance(psn, expected)});
    expected = psn;
  }
  uint64_t place_of(uint32_t psn) const {
    return place + static_cast<uint64_t>(int64_t{psn_distance(psn, expected)});
  }
  // That PSN lies before the one that the CM said, and what came since begins with that.
  bool before_start(uint32_t psn) const {
    return announced && place > kFirstPlace && place_of(psn) < kFirstPlace;
  }
  // It continues there, as after another setup of its QP.
  void go_on_at(uint32_t psn) {
    expected = confirmed = psn;
    place += kFirstPlace;
    unsized_read.reset();
  }
  // The PSN of what it would send next; unset where it has sent nothing.
  std::optional<uint32_t> next() const { return begun ? std::optional(expected) : std::nullopt; }
  int32_t ahead(uint32_t psn) const { return psn_distance(psn, expected); }

  bool acknowledges(uint32_t psn) const { return acknowledged && psn_distance(*acknowledged, psn) >= 0; }
  // Forgets what was acknowledged once all of it was seen.
  void forget_acknowledged() {
    if (acknowledged && ahead(*acknowledged) < 0) {
      acknowledged.reset();
    }
  }

  enum class Sized : uint8_t { no, known, guessed };
  // Settles the PSN count of the Read, if the path MTU is known by now, or if `next_psn`, that of the packet
  // after it, shows it. Precondition: unsized_read.
  Sized size_read(uint32_t next_psn, PathMtu& mtu) {
    const uint32_t read = psn_add(expected, kPsnMask);
    Sized how = Sized::known;
    if (mtu.known()) {
      go_to(psn_add(read, psn_count(*unsized_read, mtu.bytes())));
    } else if (mtu.guess(*unsized_read, psn_add(next_psn, 0u - read))) {
      go_to(next_psn);
      how = Sized::guessed;
    } else {
      return Sized::no;
    }
    unsized_read.reset();
    return how;
  }
};

}  // namespace steertag::rdma::roce
