// Sequences: how the sequence numbers of one connection went on over time, for who draws them: what was
// sent, acknowledged, sent again, lost and refused. RoCE numbers Read Responses as their Read Request, so
// they stand with what the Requester sent. What went well is thinned out evenly; what went wrong is kept,
// unless it is very much. Kept only where reports ask for it (Options::for_sequences).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/loss.h"
#include "frame.h"
#include "rdma/op.h"

namespace steertag::timing {

// Points of one kind. Where there are more than so many, every second one is kept, then every fourth.
class SequenceTrack {
 public:
  struct Point {
    int64_t time_ns = 0;
    uint64_t place = 0;    // as rdma::RdmaOp::end_position counts
    uint64_t packets = 1;  // from there on
  };

  void add(const Point& point, size_t most);
  // Those that are kept, and the last.
  std::vector<Point> points() const;
  uint64_t all() const { return all_; }
  size_t bytes() const { return points_.capacity() * sizeof(Point); }  // of the heap

 private:
  void thin_out();

  std::vector<Point> points_;
  uint64_t stride_ = 1;  // of so many, one is kept
  uint64_t all_ = 0;
  Point last_;
};

class Sequences {
 public:
  static constexpr size_t kMostPoints = 64;   // of one kind, while nothing goes wrong
  static constexpr size_t kMostAround = 256;  // the same, once something has
  static constexpr size_t kMostMarks = 1024;  // of one kind of what went wrong

  enum class What : uint8_t {
    sent,
    read_response,  // RoCE: by the peer
    acknowledged,   // by the peer: all before that place
    sent_again,
    late,                 // seen for the first time, behind what follows it
    lost,                 // at its first copy, or where it was missed first
    acknowledgment_lost,  // of the peer
    nak,                  // by the peer
    rnr_nak,
  };
  static constexpr size_t kKinds = static_cast<size_t>(What::rnr_nak) + 1;

  explicit Sequences(rdma::Transport transport) : tcp_(transport == rdma::Transport::iwarp) {}

  void sent(const rdma::RdmaOp& op);  // in its turn
  void late(const rdma::Late& late);
  void accepted(rdma::Side by, uint64_t position, const Stamp& at);
  void fault(const rdma::Fault& fault);
  void lost(const flow::Loss& loss);

  // Of the numbers of `of`.
  const SequenceTrack& track(rdma::Side of, What what) const { return half(of).tracks[index(what)]; }
  // The PSN, or TCP sequence number, of a place; unset where none is known.
  std::optional<uint32_t> number_of(rdma::Side of, uint64_t place) const;
  uint64_t troubles() const;  // how much went wrong
  size_t bytes() const;       // of the heap

 private:
  struct Known {
    uint64_t place = 0;
    uint32_t number = 0;
  };
  struct Half {
    std::array<SequenceTrack, kKinds> tracks;
    std::optional<Known> known;
  };

  static constexpr size_t index(What what) { return static_cast<size_t>(what); }
  static constexpr bool went_well(What what) { return what <= What::acknowledged; }
  Half& half(rdma::Side of) { return halves_[rdma::index(of)]; }
  const Half& half(rdma::Side of) const { return halves_[rdma::index(of)]; }
  void add(rdma::Side of, What what, const SequenceTrack::Point& point);
  void learn(rdma::Side of, uint64_t place, uint32_t number);

  const bool tcp_;
  bool troubled_ = false;
  std::array<Half, 2> halves_;  // by whose numbers they are
};

}  // namespace steertag::timing
