// PerfettoTrace: what a capture holds as a trace that ui.perfetto.dev opens. A connection is a track, and
// below it are: its findings; counters of the Calls that are outstanding and of the credits that are granted;
// slots, which RPCs occupy as they do a credit, the lowest free one first, each a slice with its phases in
// it; its Replies, to each of which an arrow leads from its Call; and what RDMA moved, segment by segment.
// RPCs of the server have slots of their own.
//
// Appends whole packets, in the order in which things become known; Perfetto sorts by time when it reads a
// file. All that it remembers of a connection is which slots are free when (lanes.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "flow/exchange.h"
#include "flow/message.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/lanes.h"
#include "report/perfetto_packet.h"
#include "rules/finding.h"

namespace steertag::report {

class PerfettoTrace {
 public:
  // RPCs of one connection that nobody has answered, and that never end: each takes its slot for good.
  static constexpr uint32_t kMostOpen = 64;

  explicit PerfettoTrace(const Files& files) : files_(files) {}

  void add(Buffer& out, const flow::Message& message);
  void add(Buffer& out, const flow::Exchange& exchange);  // whose Timing is complete
  void add(Buffer& out, const rules::Finding& finding);
  // Nothing more comes of it.
  void close(const track::Connection& connection) { states_.erase(connection.number); }
  void finish(Buffer& out);  // nor of anything: it is a trace, though nothing be in it
  void take_over(const PerfettoTrace& other);
  // RPCs, and segments, that there was no lane for (Lanes::kMostLanes).
  uint64_t left_out() const { return left_out_; }

 private:
  // What tracks a connection has; of most kinds one, of some as many as there are lanes.
  enum class Kind : uint8_t {
    connection,
    findings,
    outstanding,
    granted,
    replies,
    slot,
    memory,
    backward_outstanding,
    backward_granted,
    backward_replies,
    backward_slot,
  };
  static constexpr size_t kKinds = 11;
  struct State {
    std::array<bool, kKinds> named{};                // the one track of the kind
    std::array<Lanes, 3> lanes;                      // slots, slots of the backward direction, RDMA
    uint32_t open = 0;                               // RPCs without an end
    std::array<std::optional<uint32_t>, 2> granted;  // the last that was shown
  };

  static uint64_t id(const track::Connection& connection, Kind kind, uint32_t lane = 0);
  State& state(Buffer& out, const track::Connection& connection);  // it gets its track where it has none
  // The track; it gets its name where it has none.
  uint64_t only(Buffer& out, const track::Connection& connection, Kind kind);
  std::optional<uint64_t> lane(Buffer& out, const track::Connection& connection, Kind kind, int64_t begin_ns,
                               int64_t end_ns);
  void count(Buffer& out, const flow::Message& message, Kind kind, uint64_t value);
  void arrow(Buffer& out, const flow::Exchange& exchange, uint64_t flow);
  void moved(Buffer& out, const flow::Exchange& exchange, const flow::SegmentFlow& segment, uint64_t flow);

  Files files_;
  std::map<uint32_t, State> states_;  // of connections that are open, by number
  uint64_t rpcs_ = 0, left_out_ = 0;
  bool begun_ = false;  // the clock has been told
};

}  // namespace steertag::report
