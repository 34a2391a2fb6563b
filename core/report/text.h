// Text reports, made for people: aligned columns, one line per message or RPC,
// details indented below. Each function appends whole lines. Programs
// should read the JSON records instead (report/json.h); text may change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/address.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "history/in_force.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/palette.h"
#include "stats/durations.h"
#include "timing/transit.h"
#include "track/connection.h"
#include "track/connection_number.h"

namespace steertag::report {

struct TextStyle {
  Palette palette;
  Files files;            // with several, frames are printed as FILE:FRAME
  int64_t origin_ns = 0;  // what times are relative to: the first frame
  bool chunks = false;    // flows: a line for each segment
  bool ops = false;       // flows: a line with the operations of a COMPOUND
  bool subjects = false;  // flows: a line with the file that it is about
  bool phases = false;    // flows: a line with where the time went
  enum class Times : uint8_t { relative, absolute, delta };
  Times times = Times::relative;         // flows: since the first frame, UTC, since the line before
  std::optional<int64_t> previous_ns{};  // delta: the time in the line before
  unsigned width = 0;                    // columns that there are; 0: as many as it takes
  bool folds = false;                    // what is wider than that is folded before it is seen (fold.h)
  bool verbose = false;                  // decode: every field with its offset; connections: what changed
  bool utf8 = false;                     // more than ASCII may be printed
  // Bytes in the buffer beyond which no further line is begun of a list of fields or segments: for who keeps
  // no more than that.
  size_t most = SIZE_MAX;
};

// "#1 iwarp 10.9.0.2:45612 -> 10.9.0.1:20049", when a connection is first named.
void text_connection_line(Buffer& out, const track::Connection& connection, const TextStyle& style);

// The same and what else is known about it, at its end. `number` as in json_connection(); `in_force`: what
// counts on it, null: what its setup says. Verbose: with all that changed.
void text_connection(Buffer& out, const track::Connection& connection, uint32_t number,
                     const TextStyle& style, const history::InForce* in_force = nullptr);

void text_message_heading(Buffer& out, const TextStyle& style);
void text_message(Buffer& out, const flow::Message& message, const TextStyle& style);

void text_rpc_heading(Buffer& out, const TextStyle& style);
void text_rpc(Buffer& out, const flow::Exchange& exchange, const TextStyle& style);

// In the columns of an RPC.
void text_negotiation(Buffer& out, const flow::Negotiation& negotiation, const TextStyle& style);

// Connections of which packets of the client were lost before the tap: a Call may have been lost there, too,
// so that their times are lower bounds.
struct LowerBounds {
  uint64_t connections = 0;
  // Of that which showed it first: its client, how many packets, the first of them.
  track::ConnectionNumber connection;
  base::Address client;
  uint64_t packets = 0;
  Stamp first;

  void add(const LowerBounds& others);
};
// Of one connection, at its end; none where it is no such connection.
LowerBounds lower_bounds(const track::Connection& connection, const timing::Transit& transit);
// In words, without a full stop. Precondition: there is such a connection.
std::string lower_bounds_text(const LowerBounds& bounds, const TextStyle& style);

// What many RPCs add up to.
struct RpcSummary {
  uint64_t seen = 0;  // in all; the caller counts them
  uint64_t rpcs = 0;  // added
  uint64_t no_reply = 0, no_call = 0, transport_error = 0;
  uint64_t refused = 0;                 // the RPC Reply said PROC_UNAVAIL, AUTH_ERROR or the like
  uint64_t failed = 0;                  // the status of NFS was not OK
  uint64_t repeats = 0;                 // its Call was sent before: `stats` counts both as one RPC
  uint64_t incomplete = 0;              // Exchange::complete is false
  uint64_t lost = 0;                    // packets missing from the capture; the caller knows
  uint64_t dropped = 0;                 // frames lost by who captured; the caller knows
  uint64_t given_up = 0;                // for lack of memory; the caller knows
  uint64_t arguments = 0, results = 0;  // bytes of RPC messages: Subject::arguments_length
  stats::Durations latencies;
  LowerBounds at_least;  // the caller knows, where the times matter

  void add(const flow::Exchange& exchange);
  void add(const RpcSummary& other);
};
void text_rpc_summary(Buffer& out, const RpcSummary& summary, const TextStyle& style);

// The names used for FILE in FILE:FRAME; nothing for a single file.
void text_files(Buffer& out, const TextStyle& style);

}  // namespace steertag::report
