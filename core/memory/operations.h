// Operations: ties the RDMA Reads and Writes of one connection to the memory that was advertised
// for them. One lookup finds the Call that an operation is for; with that the operation is judged
// (Access), its data is recorded in the segments' Traffic, and placements are reported.
//
// Of several Calls that advertise the memory, the operation is for the newest that holds all of
// it, else for the newest that holds its first byte. Later pieces of an operation are for the
// same Call as its first, and Read Responses for that of their Read Request.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "flow/sink.h"
#include "memory/advertised.h"

namespace steertag::memory {

class Operations {
 public:
  static constexpr size_t kReadsKept = 16;  // Read Requests whose Call is remembered for their Responses

  // All must outlive it.
  Operations(const track::Connection& connection, Sink& sink, const Settings& settings,
             Advertised& advertised)
      : connection_(connection), sink_(sink), settings_(settings), advertised_(advertised) {}

  // Write, Read Request, Read Response. Nothing is reported before the connection is known to carry
  // RPC-over-RDMA. Returns the Exchange that it is for; null: none is known.
  Exchange* on_rdma(const rdma::RdmaOp& op);

 private:
  using Node = SegmentIndex::Node;
  static constexpr Node kNone = SegmentIndex::kNone;

  using Choice = Seats::Remembered;  // the Call that was chosen: it may be over by now

  struct Current {  // an operation under way
    uint64_t id = 0;
    uint64_t begin = 0;  // its first byte
    bool astray = false;
    Choice choice;
    Node latest = kNone;  // the place of the previous piece, unless the choice has changed since
  };
  struct Range {
    Side owner = Side::a;
    bool reading = false;
    uint32_t handle = 0;
    uint64_t begin = 0, last = 0;
    bool wraps = false;  // it goes on past the end of memory
  };
  struct Read {
    uint64_t id = 0;
    Choice choice;
  };
  struct Reads {  // the latest of one side
    std::array<Read, kReadsKept> kept;
    size_t next = 0;  // the place of the next one

    void add(const Read& read) { kept[next++ % kReadsKept] = read; }
    // The Call that the Read with this id is for, if it is remembered.
    Choice find(uint64_t id) const;
  };

  Current& current_of(const rdma::RdmaOp& op, Side owner);
  Node choose(Current& current, const Range& range) const;
  Node find_chosen(Current& current, const Range& range, uint64_t byte) const;
  void judge(const rdma::RdmaOp& op, Current& current, const Range& range, Node begins_in);
  // Returns the Exchange of the first segment; null: it lies in none.
  Exchange* place(const rdma::RdmaOp& op, Current& current, Range range, Node begins_in);
  void report_placements(const rdma::RdmaOp& op, Side owner) const;

  const track::Connection& connection_;
  Sink& sink_;
  const Settings& settings_;
  Advertised& advertised_;
  std::array<Current, 2> started_, answered_;  // by who started it: Writes and Read Requests, Read Responses
  std::array<Reads, 2> reads_;                 // likewise
  std::vector<Node> touched_;                  // the places that the current piece lies in
};

}  // namespace steertag::memory
