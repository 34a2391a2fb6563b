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
#include <optional>
#include <vector>

#include "flow/access.h"
#include "flow/advertised.h"

namespace steertag::flow {

struct Common;
class Timekeeper;

class Operations {
 public:
  static constexpr size_t kReadsKept = 16;  // Read Requests whose Call is remembered for their Responses

  Operations(const track::Connection& connection, Common& common, Advertised& advertised, Timekeeper& times)
      : connection_(connection), common_(common), advertised_(advertised), times_(times) {}

  // Write, Read Request, Read Response. Nothing is reported before the connection is known to carry
  // RPC-over-RDMA.
  void on_rdma(const rdma::RdmaOp& op);

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
  void place(const rdma::RdmaOp& op, Current& current, Range range, Node begins_in);
  void report_placements(const rdma::RdmaOp& op, Side owner) const;

  const track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  Timekeeper& times_;
  std::array<Current, 2> started_, answered_;  // by who started it: Writes and Read Requests, Read Responses
  std::array<Reads, 2> reads_;                 // likewise
  std::vector<Node> touched_;                  // the places that the current piece lies in
};

// Explains the byte (Access::astray) at which `access` left the memory that is advertised for it: fills in
// the verdict, the nearest segment and its Exchange, and the segment that it comes too late for. `chosen`:
// the Call that it was for.
void explain(Access& access, Advertised& advertised, const Advertisement* chosen);

}  // namespace steertag::flow
