// Acceptance: of what one end sends, what was late: sent again, or seen only after what follows it.
// From that it tells when the peer had received something, and how long it waited for what was lost.
//
// A receiver takes everything in order (RoCE discards, TCP keeps what comes ahead of its turn), so what ends
// at a place was accepted when the last of all that is late before that place came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "rdma/op.h"
#include "timing/waiting.h"

namespace steertag::timing {

class Acceptance {
 public:
  static constexpr size_t kMaxLate = 1024;  // late pieces that are remembered; the oldest are forgotten

  // A piece came in its turn.
  void fresh(const Stamp& at);
  // Nobody waited for it if it had been accepted before.
  void late(const rdma::Late& late);
  // Seen after what follows it, too soon for it to have been sent again: the network changed their order.
  void out_of_order(const rdma::Late& late) { note(late); }
  // The peer received what lies there twice: it was not waited for.
  void received_twice(uint64_t begin, uint64_t end);
  // The peer has accepted everything before `position`.
  void accept(uint64_t position) { accepted_ = position > accepted_ ? position : accepted_; }

  // When everything before `end` had come, if its own last piece was first seen at `seen_ns`. `known_ns`:
  // what came later than that does not count. Unset where what was late of it is forgotten.
  std::optional<int64_t> complete_ns(uint64_t end, int64_t seen_ns, int64_t known_ns = INT64_MAX) const;
  // The same with the frame that it came in.
  std::optional<Stamp> complete(uint64_t end, const Stamp& seen, int64_t known_ns) const;
  // Nothing has come in its turn since the last that was late.
  bool goes_back() const { return running_; }
  // Whether this frame was late.
  bool was_late(const Stamp& at) const;

  // The longest time for which the same was sent again and again, since no copy of it got through, and not
  // since the peer had no room for it.
  struct Outage {
    Stamp since;            // its first copy, as far as that is known
    int64_t length_ns = 0;  // until the last copy
    uint32_t repeated = 0;  // so many times
  };
  const Outage& outage() const { return outage_; }

  // When the peer waited for what was late, and the sender for the peer.
  Waiting& waiting() { return waiting_; }
  const Waiting& waiting() const { return waiting_; }

  size_t bytes() const {  // of the heap
    return late_.capacity() * sizeof(Piece) + waiting_.bytes();
  }

 private:
  struct Piece {
    uint64_t begin = 0;
    Stamp at;
  };

  bool note(const rdma::Late& late);  // whether it was not accepted before
  void note_outage(const rdma::Late& late, int64_t lasts_ns);

  std::vector<Piece> late_;  // both ascend: of two, the one that is earlier and begins later tells nothing
  size_t first_ = 0;         // of those that still count
  Waiting waiting_;
  uint64_t accepted_ = 0;
  uint64_t forgotten_ = 0;           // of what ends up to there, late pieces may be forgotten
  std::optional<int64_t> fresh_ns_;  // the latest that came in its turn
  bool running_ = false;             // nothing has come in its turn since the last late one
  Stamp run_, latest_;               // the first and the last late one of the run
  // Of the run: the place where it begins, over and over.
  uint64_t begin_ = 0;
  Stamp since_;
  uint32_t repeated_ = 0;
  Outage outage_;
};

}  // namespace steertag::timing
