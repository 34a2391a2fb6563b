// PathMtu: how many payload bytes the First and Middle packets of a connection hold, as far
// as that is known: a REQ proposes it, the packets show it, and where neither was seen the
// PSNs around an RDMA Read suggest it.
#pragma once

#include <cstdint>

#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

class PathMtu {
 public:
  static constexpr uint32_t kLeast = 256;  // bytes
  static constexpr uint32_t kMost = 4096;
  // Successive First and Middle packets of another size before that is believed.
  static constexpr uint32_t kPatience = 4;

  // From the CM. A value that is no path MTU (IBTA vol. 1 §9.7: a power of two) is ignored.
  void propose(uint32_t bytes);
  // A Read of `length` bytes took `psns` PSNs, unless requests after it are missing. False where they must
  // be, since no path MTU fits; where several fit, the path MTU stays unknown.
  bool guess(uint32_t length, uint32_t psns);
  void learn(const Packet& packet);
  // The QPs were set up again: what was shown may no longer be so.
  void doubt() { shown_ = false; }

  static bool is_one(uint32_t bytes) {
    return bytes >= kLeast && bytes <= kMost && (bytes & (bytes - 1)) == 0;
  }

  bool known() const { return bytes_ != 0; }
  uint32_t bytes() const { return bytes_; }  // 0: not known
  uint32_t bytes_or_least() const { return bytes_ != 0 ? bytes_ : kLeast; }
  bool guessed() const { return guessed_; }
  bool shown() const { return shown_; }  // by a First or Middle packet

 private:
  uint32_t bytes_ = 0;
  bool guessed_ = false;
  bool shown_ = false;
  uint32_t other_ = 0;      // the size that the latest packets have instead ...
  uint32_t other_run_ = 0;  // ... and how many they are
};

}  // namespace steertag::rdma::roce
