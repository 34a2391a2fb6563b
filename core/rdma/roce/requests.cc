#include "rdma/roce/requests.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "rdma/anomaly.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

// A Read whose PSN count waits for the path MTU: does the PSN of what follows show it?
void size_read(Sequence& sequence, uint32_t next_psn, PathMtu& mtu, OrderWatch& watch) {
  if (sequence.unsized_read && sequence.size_read(next_psn, mtu) == Sequence::Sized::guessed) [[unlikely]] {
    watch.set_aware(false);  // requests may be missing in between
  }
}

}  // namespace

void Requests::expect(uint32_t first_psn) {
  sent_.sequence.begin(first_psn);
  sent_.sequence.announced = true;
  watch_.set_aware(true);
}

void Requests::on_packet(const Packet& packet, const Stamp& at) {
  Sequence& sequence = sent_.sequence;
  if (!sequence.begun) [[unlikely]] {
    sequence.begin(packet.psn);
  }
  size_read(sequence, packet.psn, outlet_.path_mtu, watch_);
  const int32_t ahead = sequence.ahead(packet.psn);
  if (ahead == 0 && (!outlet_.doubts(at) || sequence.acknowledges(packet.psn))) [[likely]] {
    if (!waiting_.empty()) [[unlikely]] {
      report_late(outlet_, from_, sent_, waiting_, packet, at);
    }
    sent_.retransmissions.remember(packet, at, sequence.confirmed);
    accept(packet, at);
    drain();
    settle(at);
  } else if (ahead < 0) {
    on_behind(packet, at);
  } else {
    hold(packet, at);
    settle(at);
  }
}

void Requests::accept(const Packet& packet, const Stamp& at) {
  Sequence& sequence = sent_.sequence;
  loss_.followed();
  outlet_.position = sequence.place + 1;
  const Operations::Taken taken = sent_.operations.accept(packet, at);
  sequence.go_to(psn_add(packet.psn, taken.psns));
  sequence.unsized_read = taken.unsized_read;
  sequence.forget_acknowledged();
  loss_.forget_far_from(sequence.expected);
}

void Requests::on_behind(const Packet& packet, const Stamp& at) {
  const Sequence& sequence = sent_.sequence;
  if (sequence.before_start(packet.psn)) {
    return;  // of an earlier connection
  }
  report_late(outlet_, from_, sent_, waiting_, packet, at);
  if (loss_.find(packet.psn) == Loss::Place::in_hole) {
    // What stands alone can still be reported.
    if (is_only(packet.opcode)) {
      loss_.came_late(packet.psn);
      outlet_.position = sequence.place_of(packet.psn) + 1;
      loss_.followed();
      sent_.operations.accept_late(packet, at);
    }
    return;
  }
  if (packet.opcode == Opcode::read_request) {
    if (OutstandingRead* read = reads_.find(packet.psn, outlet_.path_mtu.bytes_or_least())) {
      read->restarted = true;
    }
  }
  if (sent_.retransmissions.take(packet, at, sequence.expected, sequence.confirmed) ==
      Retransmissions::Run::starts_over) {
    waiting_.clear();
    sent_.sequence.acknowledged.reset();
    start_over(packet.psn, at);
    accept(packet, at);
  }
}

// The QP was set up again outside of the capture, and goes on at `psn`. What was known of the sequence is
// forgotten, but for what waits.
void Requests::start_over(uint32_t psn, const Stamp& at) {
  loss_.followed();
  loss_.forget();
  sent_.operations.forget();
  sent_.retransmissions.forget();
  outlet_.path_mtu.doubt();
  sent_.sequence.go_on_at(psn);
  lossy_ = true;
  outlet_.listener.on_gap(from_, at);
}

void Requests::hold(const Packet& packet, const Stamp& at) {
  if (const Held* first = waiting_.find(packet.psn)) {
    report_late(outlet_, from_, sent_, waiting_, packet, at);
    return sent_.retransmissions.take(*first, packet, at, sent_.sequence.confirmed);
  }
  if (outlet_.closed && waiting_.full_with(packet.payload.size())) {
    return;  // enough to tell
  }
  waiting_.add(packet, at);
  if (waiting_.overfull()) {
    give_up(waiting_.front().packet.psn, at, std::nullopt);
    drain();
  }
}

// Accepts what waited and now follows on.
void Requests::drain() {
  Sequence& sequence = sent_.sequence;
  while (!waiting_.empty())
    [[unlikely]] {
      const Held& first = waiting_.front();
      size_read(sequence, first.packet.psn, outlet_.path_mtu, watch_);
      const int32_t ahead = sequence.ahead(first.packet.psn);
      if (ahead > 0 || (ahead == 0 && outlet_.doubts(first.at) && !sequence.acknowledges(first.packet.psn))) {
        return;
      }
      std::unique_ptr<Held> held = waiting_.pop();
      if (ahead == 0) {
        sent_.retransmissions.remember(held->packet, held->at, sequence.confirmed);
        accept(held->packet, held->at);
      }
      outlet_.shelf.put_back(std::move(held));
    }
}

// Where the peer acknowledged what was never seen, waiting has no point: a hole
// is given up as far as the acknowledgment reaches.
void Requests::settle(const Stamp& at) {
  Sequence& sequence = sent_.sequence;
  while (sequence.acknowledged && !waiting_.empty() && sequence.ahead(*sequence.acknowledged) >= 0) {
    const uint32_t first_held = waiting_.front().packet.psn;
    const uint32_t reached = psn_add(*sequence.acknowledged, 1);
    if (first_held != sequence.expected) {
      const bool all = psn_distance(reached, first_held) >= 0;
      give_up(all ? first_held : reached, at, sequence.acknowledged_at);
    }
    drain();
  }
  sequence.forget_acknowledged();
}

void Requests::give_up(uint32_t up_to, const Stamp& at, const std::optional<Stamp>& proof) {
  Sequence& sequence = sent_.sequence;
  if (sequence.ahead(up_to) > -kFarBehind) {
    return start_over(up_to, at);  // that many are not missing
  }
  const Loss::Hole hole = loss_.add(sequence.expected, up_to, at, proof);
  outlet_.lost += static_cast<uint32_t>(std::max(sequence.ahead(up_to), 0));
  sequence.go_to(up_to);
  sequence.unsized_read.reset();
  sent_.operations.interrupt();
  lossy_ = true;
  // Where it goes on it is reported again, should anything have been reported in between.
  if (hole == Loss::Hole::another || reported_at_gap_ != outlet_.reported) {
    reported_at_gap_ = outlet_.reported;
    outlet_.listener.on_gap(from_, at);
  }
}

void Requests::confirm(uint32_t psn, const Stamp& at) {
  Sequence& sequence = sent_.sequence;
  if (!sequence.begun) {
    return;
  }
  if (sequence.unsized_read) {
    // The Read's own Responses and the ACK of a later request reach into its range.
    if (!outlet_.path_mtu.known()) {
      return;
    }
    size_read(sequence, psn, outlet_.path_mtu, watch_);
  }
  if (psn_distance(psn, sequence.confirmed) >= 0) {
    sequence.confirmed = psn_add(psn, 1);
    if (outlet_.arrivals != nullptr) {
      outlet_.arrivals->on_accepted(other(from_), sequence.place_of(psn) + 1, at);
    }
    if (sequence.confirmed == sequence.expected) {
      outlet_.listener.on_acknowledged(other(from_), at);
    }
  }
  if (sequence.ahead(psn) < 0) [[likely]] {
    return;
  }
  if (!sequence.acknowledged || psn_distance(psn, *sequence.acknowledged) > 0) {
    sequence.acknowledged = psn;
    sequence.acknowledged_at = at;
  }
  settle(at);
}

Requests::Answered answered_from_afar(const Requests& requests, const Packet& response, int32_t ahead) {
  using Answered = Requests::Answered;
  if (ahead < 0 || ahead >= kFarAhead) {
    const bool refuses = response.aeth && !response.aeth->is_ack();
    return refuses || ahead > 0 ? Answered::strange : Answered::sent;
  }
  const bool overruns = is_read_response(response.opcode) &&
                        requests.reads_.overruns(response.psn, requests.outlet_.path_mtu.bytes_or_least());
  return requests.sent_.sequence.unsized_read || overruns ? Answered::sent : Answered::unseen;
}

void Requests::give_up_waiting(const Stamp& at) {
  while (!waiting_.empty() && !outlet_.late(waiting_.front().at)) {
    give_up(waiting_.front().packet.psn, at, std::nullopt);
    drain();
  }
}

void Requests::finish(const Stamp& at) {
  Sequence& sequence = sent_.sequence;
  give_up_waiting(at);
  // What came after the DREQ, as far as nothing is missing before it, and was never acknowledged.
  if (!waiting_.empty() && waiting_.front().packet.psn == sequence.expected) {
    Anomaly unreceived;
    unreceived.kind = Anomaly::Kind::unreceived;
    unreceived.from = from_;
    unreceived.at = waiting_.front().at;
    unreceived.related = outlet_.closed;
    unreceived.operation = kind_of(waiting_.front().packet.opcode);
    unreceived.position = sequence.expected;
    unreceived.count = waiting_.size();
    outlet_.reception = Outlet::Reception::never;
    drain();
    outlet_.reception = Outlet::Reception::assumed;
    outlet_.listener.on_anomaly(unreceived);
  }
  waiting_.clear();
  if (sequence.acknowledged && sequence.ahead(*sequence.acknowledged) >= 0) {
    give_up(psn_add(*sequence.acknowledged, 1), at, sequence.acknowledged_at);
    sequence.acknowledged.reset();
  }
  loss_.followed();
}

}  // namespace steertag::rdma::roce
