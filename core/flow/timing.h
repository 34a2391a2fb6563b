// Timing: where the time of one RPC went, from its Call to the copy of its Reply that the
// Requester accepted, by the clock of the tap. What the capture does not show is unset, never
// guessed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "frame.h"
#include "track/connection_number.h"

namespace steertag::flow {

// What an RPC went through, in this order. A phase ends where the next begins.
enum class Phase : uint8_t {
  call,    // until the Responder accepted the Call
  start,   // until the first RDMA Read Request
  read,    // until the last Read Response was accepted
  serve,   // until the first RDMA Write, or the Reply
  write,   // until the last RDMA Write, its last copy before the Reply
  finish,  // until the first copy of the Reply
  reply,   // until the copy of the Reply that the Requester accepted
};
inline constexpr size_t kPhases = 7;
inline constexpr std::array<std::string_view, kPhases> phase_names = {"call",  "start",  "read", "serve",
                                                                      "write", "finish", "reply"};
// What a Call that was sent again went through before, where reports list it with the phases of its last
// attempt.
inline constexpr std::string_view earlier_name = "earlier";

// Who or what the largest part of the time was spent on.
enum class WaitedOn : uint8_t {
  responder,
  requester,
  network,  // what was lost, until it was sent again and accepted
  data,     // moving it by RDMA
};
inline constexpr size_t kWaitedOns = 4;
inline constexpr std::array<std::string_view, kWaitedOns> waited_on_names = {"responder", "requester",
                                                                             "network", "data"};

// An earlier Call of which this one is a repetition.
struct EarlierCall {
  track::ConnectionNumber connection;
  Stamp call;
};

struct Timing {
  // From the Call's first frame to the accepted copy of the Reply, ns. Unset where frames that it needs were
  // not captured.
  std::optional<int64_t> delivered_ns;
  // Of delivered_ns, by Phase; their sum. 0: it did not occur. Meaningful where delivered_ns is set.
  std::array<int64_t, kPhases> phases_ns{};
  // Of delivered_ns, while a packet of this RPC was waited for that was lost, or that its receiver had
  // refused (RNR NAK); the part of the latter; and of that, what the Responder refused: the Call.
  int64_t recovery_ns = 0, refused_ns = 0, refused_call_ns = 0;
  // Of the phases start, serve and finish: the Responder had something to send, and the Requester no room.
  int64_t no_room_ns = 0;
  WaitedOn waited_on = WaitedOn::responder;  // of all attempts together

  // Of delivered_ns, by WaitedOn: on which side of the tap it went by, or what with.
  std::array<int64_t, kWaitedOns> spent_ns{};

  // Unanswered: from the Call until its connection or the capture ended, ns.
  std::optional<int64_t> unanswered_ns;

  // How long before this Call its Requester had as many Calls outstanding as it was granted, ns. Unset where
  // the grant or the Calls are not known.
  std::optional<int64_t> at_credit_limit_ns;

  // A Call that was sent again, on the same connection or a later one.
  uint32_t attempts = 1;                // with this one, from 1
  std::optional<EarlierCall> retry_of;  // the attempt before this one
  std::optional<int64_t> total_ns;      // from the first attempt's Call to the accepted Reply; with retry_of
};

// Of total_ns, until the Call was sent for the last time.
inline int64_t earlier_ns(const Timing& timing) {
  return timing.total_ns && timing.delivered_ns
             ? std::max<int64_t>(*timing.total_ns - *timing.delivered_ns, 0)
             : 0;
}

}  // namespace steertag::flow
