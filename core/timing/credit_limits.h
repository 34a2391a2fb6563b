// CreditLimits: for how long the Requesters of one connection could not send for want of credits: a
// CreditClock for each. Asked with each Call, and told of each message once it has taken effect on the
// open Calls.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rpc/connection_state.h"
#include "timing/credit_clock.h"

namespace steertag::timing {

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
