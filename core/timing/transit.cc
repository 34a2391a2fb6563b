#include "timing/transit.h"

#include <algorithm>

#include "timing/said.h"

namespace steertag::timing {
namespace {

void note_unseen(const rdma::Late& late, bool at_once, const track::End& sender, Passage& passage) {
  if (at_once && (sender.copies != 0 || !late.at.same_tap(*late.since))) {
    return;  // the order of several taps tells nothing, nor does a copy whose first sighting the tap missed
  }
  uint64_t& count = at_once ? passage.reordered : passage.unseen;
  if (count++ == 0) {
    (at_once ? passage.first_reordered : passage.first_unseen) = late.at;
  }
}

// With which copy of its last piece the receiver had got everything before `end`, as it says.
std::optional<Stamp> complete(const Acceptance& sends, uint64_t end, const Stamp& seen, const Said& said,
                              const Lack& lack) {
  const std::optional<Stamp> latest = sends.complete(end, seen, said.at_ns);
  if (!latest || *latest == seen || said.at_ns - latest->time_ns >= said.trip_ns) [[likely]] {
    return latest;
  }
  const std::optional<Stamp> before = sends.complete(end, seen, said.at_ns - said.trip_ns);
  const int64_t lacked_ns = lack.place < end ? lack.said_ns : INT64_MIN;
  const bool means_latest = before && said_of_latest(said, before->time_ns, latest->time_ns, lacked_ns);
  return means_latest ? latest : before;
}

}  // namespace

// Before a round trip is known, what nobody had missed and came so soon was overtaken on its way.
bool Transit::at_once(const rdma::Late& late) const {
  if (!late.since) {
    return false;
  }
  const int64_t after_ns = late.at.time_ns - late.since->time_ns;
  const std::optional<int64_t>& trip = connection_.end(rdma::other(late.from)).rtt_ns;
  if (trip || late.again || late.of_reads || connection_.one_direction()) {
    return after_ns < trip.value_or(0);
  }
  return after_ns < kNoTimerNs && lacks_[rdma::index(late.from)].place > late.begin;
}

void Transit::on_piece(const rdma::RdmaOp& op) {
  (op.kind == rdma::OpKind::read_response ? responses(op.from) : sent(op.from)).fresh(op.frames.back());
}

void Transit::on_late(const rdma::Late& late) {
  Acceptance& sender = late.of_reads ? responses(late.from) : sent(late.from);
  const bool at_once = this->at_once(late);
  if (!late.again) {
    note_unseen(late, at_once, connection_.end(late.from), passages_[rdma::index(late.from)]);
  }
  if (!at_once) {
    return sender.late(late);
  }
  if (!late.again) {
    return sender.out_of_order(late);
  }
  // Nobody could have missed it yet. But what RoCE sends behind a lost packet its peer discards, and it is
  // sent again with that.
  if (sender.goes_back() && connection_.transport != rdma::Transport::iwarp) {
    sender.late(late);
  }
}

void Transit::imply_call(Exchange& exchange, int64_t known_ns) {
  Timeline& t = exchange.timeline;
  if (t.begun && !t.call_accepted) {
    const int64_t sent_ns = known_ns - trip_ns(rdma::other(exchange.requester));
    t.call_accepted = sent(exchange.requester).complete(t.call_end, *exchange.call, sent_ns);
  }
}

const Acceptance::Outage& Transit::outage(Side from) const {
  const auto& of_side = sent_[rdma::index(from)];
  const Acceptance::Outage &requests = of_side[0].outage(), &responses = of_side[1].outage();
  return responses.length_ns > requests.length_ns ? responses : requests;
}

void Transit::on_fault(const rdma::Fault& fault) {
  const bool rnr = fault.kind == rdma::Fault::Kind::rnr;
  if (rnr || fault.kind == rdma::Fault::Kind::nak_sequence) {
    on_lack(fault.from, fault.place, fault.at);
  }
  if (rnr) {
    sent(rdma::other(fault.from)).waiting().refused(fault.at.time_ns);
  }
}

std::optional<Stamp> Transit::accepted(Side by, uint64_t end, const Stamp& seen, const Stamp& at) {
  const Acceptance& sends = sent(rdma::other(by));
  const std::optional<Stamp> with =
      complete(sends, end, seen, {at.time_ns, trip_ns(by)}, lacks_[rdma::index(rdma::other(by))]);
  const bool plain = sends.complete_ns(end, seen.time_ns) == seen.time_ns;
  const int64_t took_ns = at.time_ns - seen.time_ns;
  const bool one_clock = at.clock() == seen.clock();  // unless the file was merged of several
  if (plain && one_clock && took_ns >= 0) {
    std::optional<int64_t>& trip = connection_.end(by).rtt_ns;
    trip = std::min(took_ns, trip.value_or(INT64_MAX));
  }
  return with;
}

size_t Transit::bytes() const {
  size_t bytes = sequences != nullptr ? sizeof(Sequences) + sequences->bytes() : 0;
  for (const auto& of_side : sent_) {
    bytes += of_side[0].bytes() + of_side[1].bytes();
  }
  return bytes;
}

}  // namespace steertag::timing
