// CreditClock: for how long one Requester had as many Calls outstanding as it was granted (RFC 8166
// §3.3.1): it could not have sent another. Whether it wanted to, the wire does not say; a Requester that
// sends its next Call as soon as a Reply makes room did.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rpc/connection_state.h"

namespace steertag::timing {

class CreditClock {
 public:
  // What its Responder grants from now on; 0 is no grant.
  void grant(uint32_t credits) {
    if (credits != 0) {
      granted_ = credits;
    }
  }
  // Its Calls without a Reply, from now on; unset where the capture may hide some.
  void outstanding(std::optional<uint32_t> calls, int64_t now_ns) {
    stop(now_ns);
    if (!calls || !granted_) {
      known_ = known_ && !granted_;
      return;
    }
    if (*calls >= *granted_) {
      full_since_ns_ = now_ns;
    }
  }
  // A Call is sent: for how long its Requester was at the limit since the Call before it, ns. Unset where
  // that is not known. To be asked before the Call counts as outstanding.
  std::optional<int64_t> on_call(int64_t now_ns) {
    stop(now_ns);
    const int64_t spent_ns = full_ns_ - full_before_ns_;
    full_before_ns_ = full_ns_;
    const bool known = granted_.has_value() && known_;
    known_ = true;
    return known ? std::optional(spent_ns) : std::nullopt;
  }
  // All of that time so far; unset where nothing was granted.
  std::optional<int64_t> total_ns() const { return granted_ ? std::optional(full_ns_) : std::nullopt; }

 private:
  void stop(int64_t now_ns) {
    if (full_since_ns_) {
      full_ns_ += now_ns > *full_since_ns_ ? now_ns - *full_since_ns_ : 0;  // clocks may go back
      full_since_ns_.reset();
    }
  }

  std::optional<uint32_t> granted_;
  std::optional<int64_t> full_since_ns_;
  int64_t full_ns_ = 0, full_before_ns_ = 0;  // in all; at the Call before
  bool known_ = true;                         // since the Call before
};

// Those of both Requesters of one connection. Told of each message once it has taken effect on the open
// Calls.
class CreditLimits {
 public:
  // `state` must outlive it.
  explicit CreditLimits(rpc::ConnectionState& state) : state_(state) {}

  // CreditClock::on_call() of its Requester: before the Call counts as outstanding.
  std::optional<int64_t> on_call(const Message& call) {
    return clocks_[rdma::index(call.from)].on_call(call.at.time_ns);
  }
  // The message has taken effect on the open Calls.
  void note(const Message& message);
  void forget() { clocks_ = {}; }

 private:
  rpc::ConnectionState& state_;
  std::array<CreditClock, 2> clocks_;  // by Requester
};

}  // namespace steertag::timing
