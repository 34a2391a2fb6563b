#include "timing/losses.h"

#include <algorithm>

namespace steertag::timing {
namespace {

using flow::Loss;

// The Requester had to ask again, although no copy was seen: it was lost in front of the tap.
rdma::Late unseen(const rdma::RdmaOp& response, const Complaint& request) {
  rdma::Late late;
  late.from = response.from;
  late.of_reads = true;
  late.begin = request.place;
  late.end = response.end_position;
  late.number = request.number;
  late.bytes = response.payload_length;
  late.since = request.at;
  late.at = response.frames.back();
  return late;
}

// Without the other direction a packet that is sent again may have been lost anywhere, or been refused,
// unless that is what was seen; and what told its sender may be there.
Loss as_known(const track::Connection& connection, const Loss& loss) {
  Loss known = loss;
  if (connection.one_direction()) {
    if (known.where != Loss::Where::receiver) {
      known.where = Loss::Where::unknown;
      known.packets = std::min<uint64_t>(loss.packets, 1);
    }
    if (known.noticed_by == Loss::NoticedBy::timeout) {
      known.noticed_by.reset();
      known.timer_ns.reset();
    }
  }
  return known;
}

void report_all(std::vector<Loss>& losses, const track::Connection& connection, flow::Sink& sink) {
  for (const Loss& loss : losses) {
    sink.on_loss(connection, as_known(connection, loss));
  }
  losses.clear();
}

}  // namespace

void Losses::fresh(const rdma::RdmaOp& op) {
  const bool response = op.kind == rdma::OpKind::read_response;
  LossRuns& sent = runs(op.from, response);
  const Stamp& at = op.frames.back();
  if (response && sent.complaint && sent.complaint->place + 1 == op.end_position) [[unlikely]] {
    sent.late(unseen(op, *sent.complaint), false, {tcp(), trip_ns(op.from)});
  }
  sent.fresh(op);
  if (Repeats& repeats = repeats_[rdma::index(op.from)]; !response && repeats.going_on) [[unlikely]] {
    repeats.going_on = at == repeats.latest || !captured_before(repeats.latest, at);
  }
  if (response && sent.any() && !sent.running()) [[unlikely]] {
    sent.accept_all();
    report_over(sent);
  }
}

void Losses::late(const rdma::Late& late, bool at_once) {
  LossRuns& sent = runs(late.from, late.of_reads);
  // A probe of an idle TCP connection repeats the last byte, or none (RFC 9293 §3.8.4).
  const bool keeps_alive = tcp() && late.bytes <= 1;
  if (keeps_alive || (!late.again && (at_once || overtaken(sent, late))) || repeats_read(late)) {
    return;
  }
  sent.late(late, at_once, {tcp(), trip_ns(late.from)});
  report_over(sent);
}

// Whether it belongs to a Read Request that is repeated, since some of its Responses are missing. Of several
// the first says which; the others, and all else that is repeated behind it, go again without need.
bool Losses::repeats_read(const rdma::Late& late) {
  if (late.of_reads) {
    return false;
  }
  LossRuns& responses = runs(rdma::other(late.from), true);
  Repeats& repeats = repeats_[rdma::index(late.from)];
  if (late.asks && late.again && (late.begin < runs(late.from, false).accepted || !late.since)) {
    const std::optional<Complaint>& last = responses.complaint;
    if (!last || late.at.time_ns - last->at.time_ns >= kFastNs || late.begin < last->place) {
      const int64_t active_ns = std::max(responses.active_ns(), runs(late.from, false).active_ns());
      responses.complaint = {.by = Loss::NoticedBy::read_retry,
                             .place = late.begin,
                             .number = late.number,
                             .at = late.at,
                             .timer_ns = std::max<int64_t>(late.at.time_ns - active_ns, 0)};
    }
    repeats = {true, late.begin, late.at};
  }
  repeats.going_on = repeats.going_on && late.begin >= repeats.next;
  if (!repeats.going_on) {
    return false;
  }
  if (late.asks) {
    responses.discarded.asks(late);
    responses.skipped.asks(late);
  }
  repeats.next = late.end;
  repeats.latest = late.at;
  if (responses.complaint) {
    ++responses.complaint->repeated;
  } else if (responses.any()) {
    ++responses.latest().resent_packets;
  }
  return true;
}

// TCP: not sent again, since its sender cannot have known by then: what it sent later came earlier.
bool Losses::overtaken(const LossRuns& sent, const rdma::Late& late) const {
  if (!tcp() || !late.since || sent.running()) {
    return false;
  }
  const bool complained = sent.complaint && sent.complaint->place <= late.begin;
  return complained ? late.at.time_ns - sent.complaint->first_ns < trip_ns(late.from) / 2
                    : late.at.time_ns - late.since->time_ns < kFastNs;
}

void Losses::fault(const rdma::Fault& fault) {
  if (const std::optional<Complaint> complaint = complaint_of(fault)) {
    LossRuns& sent = runs(rdma::other(fault.from), false);
    sent.complain(*complaint);
    report_over(sent);
  }
}

void Losses::acknowledged_again(Side by, uint64_t position, const Stamp& at) {
  if (!tcp()) {
    return runs(by, true).discarded.acknowledges(position, at);
  }
  runs(rdma::other(by), false).complain({.by = Loss::NoticedBy::duplicate_acks, .place = position, .at = at});
}

void Losses::accepted(Side by, uint64_t position, const Stamp& at) {
  LossRuns& sent = runs(rdma::other(by), false);
  sent.accept(position, at, trip_ns(by));
  report_over(sent);
  if (!tcp()) {
    runs(by, true).discarded.acknowledges(position, at);
  }
}

void Losses::finish() {
  for (auto& of_side : sent_) {
    of_side[1].accept_all();
    for (LossRuns& sent : of_side) {
      sent.finish();
      report_over(sent);
    }
  }
  if (connection_.rpcrdma) {
    report_all(unclaimed_, connection_, sink_);
  }
}

void Losses::report_over(LossRuns& sent) {
  if (!sent.over.empty()) [[unlikely]] {
    for (const Loss& loss : sent.over) {
      report(loss);
    }
    sent.over.clear();
  }
}

void Losses::report(const Loss& over) {
  Loss loss = over;
  // A sender whose timer ran out may have missed the data's acknowledgment. Where the tap misses packets of
  // its peer, too, that may have been lost in front of it.
  const auto& peer = sent_[rdma::index(rdma::other(loss.from))];
  const bool doubtful = loss.what == Loss::What::data && loss.where == Loss::Where::after_tap &&
                        loss.noticed_by == Loss::NoticedBy::timeout && loss.packets != 0;
  if (doubtful && (peer[0].holes || peer[1].holes)) {
    loss.where = Loss::Where::unknown;
  }
  if (sequences_ != nullptr && loss.what != Loss::What::setup) {
    sequences_->lost(loss);
  }
  if (!connection_.rpcrdma) {
    if (unclaimed_.size() == kMaxUnclaimed) {
      unclaimed_.erase(unclaimed_.begin());
    }
    unclaimed_.push_back(loss);
    return;
  }
  report_all(unclaimed_, connection_, sink_);
  sink_.on_loss(connection_, as_known(connection_, loss));
}

size_t Losses::bytes() const {
  size_t bytes = unclaimed_.capacity() * sizeof(Loss);
  for (const auto& of_side : sent_) {
    bytes += of_side[0].bytes() + of_side[1].bytes();
  }
  return bytes;
}

}  // namespace steertag::timing
