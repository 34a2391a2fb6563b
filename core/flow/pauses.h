// Pauses: the pause frames of a capture, whoever they are for, and for how long they may have stopped a link
// (IEEE 802.1Qbb; 802.3 annex 31B). No frame says how fast that link is. Times here are those of 1 Gbit/s:
// no RDMA link is slower, so no link is stopped for longer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/saturating.h"
#include "link/packet.h"
#include "track/connection.h"

namespace steertag::flow {

class Pauses {
 public:
  // Of one quantum, 512 bits.
  static constexpr int64_t kQuantumNs = 512;
  static constexpr int64_t kLongestNs = 0xFFFF * kQuantumNs;  // by one frame
  static constexpr uint64_t kLeast = 10;                      // frames that deserve a remark

  void note(const link::Pause& pause, int64_t at_ns) {
    count_ += pause.stops() ? 1 : 0;
    for (size_t i = 0; i < classes_.size(); ++i) {
      if ((pause.classes >> i & 1) != 0) {
        classes_[i].note(at_ns, pause.quanta[i] * kQuantumNs);
      }
    }
  }
  // Frames that stop a link, so far.
  uint64_t count() const { return count_; }
  // For how long at most packets of that connection were stopped so far, ns. The priority of packets without
  // a VLAN tag is not known: they may be of any class.
  int64_t stopped_ns(const track::Connection& connection) const {
    int64_t most = 0;
    for (size_t i = 0; count_ != 0 && i < classes_.size(); ++i) {
      const bool its_own =
          std::any_of(connection.ends.begin(), connection.ends.end(), [&](const track::End& end) {
            const uint16_t seen = end.traffic_class.priorities;
            return seen == 0 || (seen >> i & 1) != 0 || (seen >> link::Packet::kNoPriority & 1) != 0;
          });
      most = its_own ? std::max(most, classes_[i].sum_ns) : most;
    }
    return most;
  }

 private:
  struct Class {
    int64_t sum_ns = 0;
    int64_t until_ns = INT64_MIN;  // of the latest

    void note(int64_t at_ns, int64_t length_ns) {
      const int64_t left_ns = base::saturating_subtract(until_ns, at_ns);
      sum_ns -= std::clamp<int64_t>(left_ns, 0, sum_ns);  // a pause frame takes the place of the one before
      sum_ns = base::saturating_add(sum_ns, length_ns);
      until_ns = base::saturating_add(at_ns, length_ns);
    }
  };

  uint64_t count_ = 0;
  std::array<Class, 8> classes_;
};

}  // namespace steertag::flow
