// Attempt: what one client did to set up a connection for NFS/RDMA to one port of
// one server, and what came of it where no RPC followed. Each time that it tried is
// a Try, and tries that ended alike are one Attempt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attempt/reason.h"
#include "base/address.h"
#include "frame.h"
#include "track/connection.h"

namespace steertag::attempt {

enum class Outcome : uint8_t {
  rejected,     // by a REJ of the CM, or an MPA Reply that rejects
  refused,      // by a RST in answer to a SYN, or by an ICMP error
  unanswered,   // no answer to a SYN, REQ or MPA Request
  unconfirmed,  // a REP without an RTU, and without traffic
  terminated,   // after the setup, before the first RPC-over-RDMA message
};

// What the client did next in this capture.
enum class Then : uint8_t { none, connection, tcp };

// The frames of a try that show how it ended: its answer, or its requests where nothing answered.
inline constexpr size_t kMostFrames = 16;

struct Try {
  track::Connection
      connection;  // its ends, the client as Side::a, as far as the setup says; without a number
  Outcome outcome = Outcome::unanswered;
  Reason reason;
  base::Address by;                   // who refused or ended it; none where nothing answered
  std::vector<uint8_t> private_data;  // of the refusal, without the zeros at its end
  Stamp first, last;
  std::vector<Stamp> frames;  // at most kMostFrames
  bool for_nfs = false;       // its private data is that of RPC-over-RDMA (RFC 8797)
  bool pending = false;       // nothing but the end of the capture has ended it
  bool certain = false;       // no packet that is missing from the capture could explain it
};

struct Attempt {
  Try like;            // the first of them; `last` and `frames` are those of all
  Stamp latest;        // where the last of them began
  uint64_t tries = 0;  // a REQ or SYN that was sent again belongs to the same try
  Then then = Then::none;
  track::ConnectionNumber conn;  // where it came up
};

}  // namespace steertag::attempt
