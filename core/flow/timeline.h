// Timeline: what is noted of an Exchange while it goes on, from which its Timing follows.
// Times are those of the frames, ns; places are RdmaOp::end_position of who sent it.
// Filled by the Timekeeper, read by work_out().
#pragma once

#include <cstdint>
#include <optional>

#include "flow/slowdown.h"
#include "frame.h"

namespace steertag::flow {

struct Timeline {
  bool used = false;                       // something is noted
  bool begun = false;                      // the Call was captured
  Stamp call_begun, reply_begun;           // the frame in which something of it was first seen
  bool call_late = false;                  // nothing of the Call was captured when it was first sent
  uint64_t call_end = 0, reply_end = 0;    // places
  uint64_t reads_end = 0, writes_end = 0;  // of the Read Responses and Writes so far
  // The frame with which the peer had all of it: its own, or a copy of what was lost of it or before it.
  std::optional<Stamp> call_accepted, reply_accepted;
  std::optional<Stamp> call_acknowledged, reply_acknowledged;  // the peer's word for it
  int64_t reply_repeated_ns = 0;                     // not accepted: for how long the Responder sent again
  std::optional<int64_t> first_read, last_response;  // Read Request, Read Response
  std::optional<int64_t> responses_accepted;
  std::optional<int64_t> first_write, last_write;
  std::optional<int64_t> writes_accepted;  // as far as they were before the Reply was sent
  // Nothing of the first Read Request, the first Write, the Reply was captured when it was first sent.
  bool read_late = false, write_late = false, reply_late = false;
  std::optional<int64_t> read_waits;  // since then no Response has come for a Read Request
  int64_t requester_ns = 0;     // that the Responder's Reads waited for the Requester, beyond a round trip
  uint32_t gaps = 0;            // of the connection, when the Call came
  Slowdown slow_before;         // of the connection, when it was opened
  uint64_t retry_key = 0;       // what Retries knows the Call by ...
  uint64_t attempt_before = 0;  // ... and, by its order, the connection of the attempt before it
  std::optional<int64_t> first_attempt;  // the Call of the first attempt, where this one is not the first
  bool moved = false;                    // attempts were sent on several connections
};

}  // namespace steertag::flow
