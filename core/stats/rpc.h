// Rpc: what statistics count of one RPC, whatever they are by: what it was about, between whom, how it ended,
// how long it took. Of a Call that was sent several times the last attempt is the RPC, and its time is that
// of all of them; attempts.h sees to it that the others are not counted.
// Unlike the Exchange that it is made of it can be kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/address.h"
#include "base/saturating.h"
#include "flow/exchange.h"
#include "flow/obstacle.h"
#include "frame.h"
#include "stats/operation.h"
#include "stats/outcome.h"
#include "track/connection_number.h"

namespace steertag::stats {

struct Rpc {
  Operation operation;
  track::ConnectionNumber connection;
  base::Address client, server;
  bool callback = false;  // the server is the Requester
  uint32_t xid = 0;
  // With Settings::for_files, as far as they are known.
  std::string file = {};
  std::optional<uint32_t> user = {};

  bool called = false;   // its Call was captured
  Stamp began;           // the Call, else the Reply
  int64_t first_ns = 0;  // when its first attempt began

  Carried bytes;
  bool failed = false;
  std::string failure;                             // where it failed
  bool unanswered = false;                         // its Call was captured, and no Reply ...
  bool accepted = false;                           // ... but its Responder had acknowledged the Call ...
  flow::Obstacle obstacle = flow::Obstacle::none;  // ... and could not answer
  bool lacking = false;    // what is missing from the capture, one direction perhaps, may be that Reply
  flow::Timing timing;     // of the last attempt, but for total_ns
  bool ignored = false;    // it was sent again, and nothing but its Responder kept the Call before unanswered
  uint32_t disturbed = 0;  // packets sent again and NAKs on its connection, between Call and Reply

  const base::Address& responder() const { return callback ? client : server; }
  // From its first attempt until the accepted Reply; unset where that is not known.
  std::optional<int64_t> took_ns() const {
    return called && timing.delivered_ns ? std::optional(*timing.delivered_ns + flow::earlier_ns(timing))
                                         : std::nullopt;
  }
  // When the accepted Reply was there; where that is not known, when it began.
  int64_t until_ns() const { return base::saturating_add(began.time_ns, timing.delivered_ns.value_or(0)); }
  // The same until nothing more could come; unset where it was answered, or may have been.
  std::optional<int64_t> waited_in_vain_ns() const {
    return timing.unanswered_ns && !lacking ? std::optional(*timing.unanswered_ns + began.time_ns - first_ns)
                                            : std::nullopt;
  }
};

Rpc rpc_of(const flow::Exchange& exchange);

}  // namespace steertag::stats
