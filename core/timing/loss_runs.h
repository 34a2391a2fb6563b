// LossRuns: the runs of packets that one end of a connection sent again. A run begins with a packet that was
// lost. It ends when the sender goes back once more, or sends new packets.
// A run is over when the receiver has accepted a copy of its first packet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/loss.h"
#include "frame.h"
#include "rdma/op.h"
#include "timing/complaint.h"
#include "timing/discarded.h"
#include "timing/said.h"
#include "timing/skipped.h"

namespace steertag::timing {

using rdma::Side;

class LossRuns {
 public:
  static constexpr size_t kMaxOpen = 64;  // runs that are not accepted; beyond that the oldest is over

  // What is known of the way.
  struct Way {
    bool tcp = false;
    int64_t trip_ns = 0;  // between the tap and the sender, and back
  };

  // A piece in its turn: the latest run goes on no further.
  void fresh(const rdma::RdmaOp& op);
  // Something that was late, and nothing of another run. `at_once`: nobody could have missed it yet.
  void late(const rdma::Late& late, bool at_once, const Way& way);
  void complain(const Complaint& complaint);
  // All before `position` was acknowledged, by copies that passed the tap `trip_ns` before, as a rule:
  // said.h.
  void accept(uint64_t position, const Stamp& at, int64_t trip_ns);
  // Its receiver, `by`, had that twice.
  void received_twice(Side by, uint64_t begin, uint64_t end);
  // Nothing is acknowledged, and yet all has arrived: Read Responses, of which the Requester asks no more.
  void accept_all();
  void finish();  // all are over

  bool any() const { return !runs_.empty(); }
  bool running() const { return running_; }  // the latest goes on
  // When something of it was last sent or acknowledged, ns; 0: never.
  int64_t active_ns() const { return std::max(active_.time_ns, accepted_at_.time_ns); }
  flow::Loss& latest() { return runs_.back().loss; }
  size_t bytes() const {  // of the heap
    return runs_.capacity() * sizeof(LossRun) + over.capacity() * sizeof(flow::Loss) + skipped.bytes();
  }

  std::optional<Complaint> complaint;  // the latest, until it was acted upon
  Discarded discarded;                 // of RoCE's Read Responses
  Skipped skipped;                     // of RoCE
  uint64_t accepted = 0;               // all before it
  std::vector<flow::Loss> over;        // those that are over; whoever takes them clears it
  bool holes = false;                  // packets were lost in front of the tap

 private:
  void begin(const rdma::Late& late, const Way& way);
  void resolve(uint64_t position, const Said& said);
  void note_unheeded();

  std::vector<LossRun> runs_;  // by time
  bool running_ = false;
  uint64_t next_ = 0;  // place behind what was sent again last ...
  Stamp latest_;       // ... in this frame
  Stamp active_;       // what was sent last
  // The latest piece in its turn: where it ends, and how long it is.
  uint64_t fresh_end_ = 0;
  uint32_t fresh_bytes_ = 0;
  Stamp fresh_;
  Stamp accepted_at_;
};

}  // namespace steertag::timing
