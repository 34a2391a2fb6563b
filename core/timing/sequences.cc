#include "timing/sequences.h"

namespace steertag::timing {

using rdma::Side;

void SequenceTrack::add(const Point& point, size_t most) {
  if (all_ % stride_ == 0 && points_.size() >= most) {
    thin_out();
  }
  if (all_ % stride_ == 0) {
    points_.push_back(point);
  }
  last_ = point;
  ++all_;
}

void SequenceTrack::thin_out() {
  size_t kept = 0;
  for (size_t i = 0; i < points_.size(); i += 2) {
    points_[kept++] = points_[i];
  }
  points_.resize(kept);
  stride_ *= 2;
}

std::vector<SequenceTrack::Point> SequenceTrack::points() const {
  std::vector<Point> points = points_;
  if (all_ != 0 && (all_ - 1) % stride_ != 0) {
    points.push_back(last_);
  }
  return points;
}

void Sequences::add(Side of, What what, const SequenceTrack::Point& point) {
  troubled_ |= !went_well(what);
  const size_t most = !went_well(what) ? kMostMarks : troubled_ ? kMostAround : kMostPoints;
  half(of).tracks[index(what)].add(point, most);
}

void Sequences::learn(Side of, uint64_t place, uint32_t number) {
  if (!half(of).known) {
    half(of).known = {place, number};
  }
}

void Sequences::sent(const rdma::RdmaOp& op) {
  const bool response = op.kind == rdma::OpKind::read_response && !tcp_;
  add(response ? rdma::other(op.from) : op.from, response ? What::read_response : What::sent,
      {op.frames.back().time_ns, tcp_ ? op.end_position : op.end_position - 1});
}

void Sequences::late(const rdma::Late& late) {
  // A probe of an idle TCP connection repeats the last byte, or none (RFC 9293 §3.8.4).
  if (tcp_ && late.bytes <= 1) {
    return;
  }
  const Side of = late.of_reads ? rdma::other(late.from) : late.from;
  learn(of, late.begin, late.number);
  add(of, late.again ? What::sent_again : What::late, {late.at.time_ns, late.begin});
}

void Sequences::accepted(Side by, uint64_t position, const Stamp& at) {
  add(rdma::other(by), What::acknowledged, {at.time_ns, position});
}

void Sequences::fault(const rdma::Fault& fault) {
  if (fault.kind == rdma::Fault::Kind::terminate) {
    return;
  }
  const Side of = rdma::other(fault.from);
  learn(of, fault.place, fault.psn);
  add(of, fault.kind == rdma::Fault::Kind::rnr ? What::rnr_nak : What::nak, {fault.at.time_ns, fault.place});
}

// What was sent again without need was not lost, and what was refused had arrived.
void Sequences::lost(const flow::Loss& loss) {
  if (loss.packets != 0 && loss.where != flow::Loss::Where::receiver) {
    add(loss.numbered_by, loss.what == flow::Loss::What::data ? What::lost : What::acknowledgment_lost,
        {loss.since.time_ns, loss.place, loss.packets});
  }
}

std::optional<uint32_t> Sequences::number_of(Side of, uint64_t place) const {
  const std::optional<Known>& known = half(of).known;
  if (!known) {
    return std::nullopt;
  }
  constexpr uint32_t kPsns = 0xFFFFFF;
  const uint32_t number = known->number + static_cast<uint32_t>(place - known->place);
  return tcp_ ? number : number & kPsns;
}

uint64_t Sequences::troubles() const {
  uint64_t troubles = 0;
  for (const Half& half : halves_) {
    for (size_t i = index(What::acknowledged) + 1; i < kKinds; ++i) {
      troubles += half.tracks[i].all();
    }
  }
  return troubles;
}

size_t Sequences::bytes() const {
  size_t bytes = 0;
  for (const Half& half : halves_) {
    for (const SequenceTrack& track : half.tracks) {
      bytes += track.bytes();
    }
  }
  return bytes;
}

}  // namespace steertag::timing
