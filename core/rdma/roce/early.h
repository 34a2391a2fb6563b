// Early: packets of one side that acknowledge requests not yet seen, and all that follow them
// from the same side. They are held back, since merged taps may show an effect before its cause;
// but only for a short while, after which the cause counts as missing from the capture. Unlike
// memory::EarlyEffects, which remembers effects, it delays them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "frame.h"
#include "rdma/roce/held.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/psn.h"
#include "rdma/roce/requests.h"

namespace steertag::rdma::roce {

class Early {
 public:
  // How long, in captured time and in packets of that side, an acknowledgment waits for what it acknowledges.
  static constexpr int64_t kPatienceNs = 2'000'000;
  static constexpr size_t kPatiencePackets = 256;

  enum class Passage : uint8_t { goes_on, waits };

  // `causes`: the requests of the other side.
  Early(Shelf& shelf, Requests& causes) : shelf_(shelf), causes_(causes) {}

  // The next packet, which is kept where it has to wait.
  Passage on_packet(const Packet& packet, const Stamp& at) {
    if (queue_.empty() && !before_its_cause(packet)) [[likely]] {
      return Passage::goes_on;
    }
    queue_.insert(queue_.size(), shelf_.keep(packet, at));
    return Passage::waits;
  }
  // The packet that has waited longest, if its cause was seen or it has waited long enough; null: there is
  // none. The caller puts it back on the shelf after use.
  std::unique_ptr<Held> next(const Stamp& now) {
    if (queue_.empty()) {
      return nullptr;
    }
    const Held& first = queue_.front();
    if (before_its_cause(first.packet)) {
      if (queue_.size() < kPatiencePackets && now.time_ns - first.at.time_ns < kPatienceNs) {
        return nullptr;
      }
      causes_.give_up(psn_add(last_accepted(first.packet), 1), first.at, first.at);
    }
    return queue_.pop();
  }

  bool empty() const { return queue_.empty(); }

 private:
  bool before_its_cause(const Packet& packet) const {
    return is_response(packet.opcode) && causes_.answered_by(packet) == Requests::Answered::unseen;
  }

  Shelf& shelf_;
  Requests& causes_;
  HeldQueue queue_;
};

}  // namespace steertag::rdma::roce
