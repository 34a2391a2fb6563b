// RpcTimes: from when to when an RPC is shown, as a span of a trace and as a bar of a report. What the
// capture does not show of it ends where the capture, or its connection, does. Nanoseconds since the epoch,
// by the clock of the tap.
#pragma once

#include <cstdint>

#include "flow/exchange.h"

namespace steertag::report {

// From when to when an RPC is shown: from its Call to the copy of its Reply that was accepted, as its Timing
// has it; to the Reply where that is not known. Without a Reply, to the last that was seen of its connection;
// without a Call, at the Reply.
struct RpcTimes {
  int64_t begin_ns = 0, end_ns = 0;
  bool ended = true;  // false: nobody has answered it, and nothing has ended its connection
};
RpcTimes times_of(const flow::Exchange& exchange);

}  // namespace steertag::report
