#include "rdma/roce/responses.h"

#include <algorithm>

#include "rdma/anomaly.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

Fault::Kind fault_of(const Aeth& aeth) {
  if (aeth.is_rnr_nak()) {
    return Fault::Kind::rnr;
  }
  switch (static_cast<NakCode>(aeth.code())) {
    case NakCode::psn_sequence_error:
      return Fault::Kind::nak_sequence;
    case NakCode::invalid_request:
      return Fault::Kind::nak_invalid_request;
    case NakCode::remote_access_error:
      return Fault::Kind::nak_remote_access;
    default:
      return Fault::Kind::nak_remote_operational;
  }
}

Anomaly most_outstanding(const OutstandingRead& read, const ReadDepth::Peak& peak, Side requester) {
  Anomaly most;
  most.kind = Anomaly::Kind::reads_outstanding;
  most.from = requester;
  most.at = read.at;
  most.related = peak.first_done;
  most.operation = OpKind::read_request;
  most.id = read.id;
  most.position = read.first_psn;
  most.found = peak.reads;
  return most;
}

}  // namespace

void Responses::on_packet(const Packet& packet, const Stamp& at) {
  if (requests_.answered_by(packet) == Requests::Answered::strange) [[unlikely]] {
    return outlet_.listener.on_stray_acknowledgment(from_, at);
  }
  if (is_read_response(packet.opcode)) {
    return deliver(packet, at);
  }
  if (packet.aeth && !packet.aeth->is_ack()) [[unlikely]] {
    return refuse(packet, at);
  }
  const Sequence& sequence = requests_.sent().sequence;
  const bool asked = outlet_.arrivals != nullptr && sequence.begun;
  if (asked && psn_distance(packet.psn, sequence.confirmed) < 0) {
    outlet_.arrivals->on_acknowledged_again(from_, sequence.place_of(packet.psn) + 1, at);
  }
  requests_.confirm(packet.psn, at);
}

void Responses::refuse(const Packet& nak, const Stamp& at) {
  if (requests_.sent().sequence.before_start(nak.psn)) {  // it belongs to an earlier connection
    return outlet_.listener.on_stray_acknowledgment(from_, at);
  }
  requests_.confirm(last_accepted(nak), at);
  complain(nak, at);
}

void Responses::finish() {
  const Sequence& sequence = requests_.sent().sequence;
  // Of what was sent once, the acknowledgment may be missing from the capture.
  if (sequence.begun && psn_distance(sequence.expected, sequence.confirmed) > 0 &&
      requests_.sent().retransmissions.was_sent_again(sequence.confirmed)) {
    accuse(sequence.confirmed);
  }
}

// Perhaps there were more Reads than it can serve.
void Responses::watch_refused(uint32_t psn) {
  const OutstandingRead* const read = reads_.find(psn, outlet_.path_mtu.bytes_or_least());
  if (read == nullptr || read->done()) {
    return;
  }
  if (const std::optional<ReadDepth::Peak> peak = reads_.refused(*read)) {
    outlet_.listener.on_anomaly(most_outstanding(*read, *peak, other(from_)));
  }
}

std::optional<Fault::WrongCrc> Responses::accuse(uint32_t psn) {
  const std::optional<Fault::WrongCrc> wrong = requests_.sent().retransmissions.wrong_icrc(psn);
  if (wrong && accused_ != psn) {
    accused_ = psn;
    Anomaly damaged;
    damaged.kind = Anomaly::Kind::icrc;
    damaged.from = other(from_);
    damaged.at = wrong->at;
    damaged.position = psn;
    damaged.expected = wrong->computed;
    damaged.found = wrong->carried;
    damaged.awaited = true;
    outlet_.listener.on_anomaly(damaged);
  }
  return wrong;
}

void Responses::complain(const Packet& packet, const Stamp& at) {
  const Requests::Sent& sent = requests_.sent();
  Fault fault;
  fault.kind = fault_of(*packet.aeth);
  fault.from = from_;
  fault.psn = packet.psn;
  fault.place = sent.sequence.place_of(packet.psn);
  fault.of_invalidation = sent.operations.invalidation() == packet.psn;
  fault.at = at;
  fault.code = packet.aeth->code();
  if (fault.kind != Fault::Kind::rnr) {
    fault.refused = sent.retransmissions.operation(packet.psn);
  }
  if (fault.kind != Fault::Kind::rnr && fault.kind != Fault::Kind::nak_sequence) {
    watch_refused(packet.psn);
    fault.wrong_crc = accuse(packet.psn);
  }
  outlet_.listener.on_fault(fault);
}

// In its source, bytes.
uint64_t Responses::offset_of(const Packet& packet, const OutstandingRead& read) const {
  const auto place = static_cast<uint32_t>(psn_distance(packet.psn, read.first_psn));
  if (outlet_.path_mtu.known()) {
    return uint64_t{place} * outlet_.path_mtu.bytes();
  }
  // Without a path MTU no First or Middle was seen yet: this one ends the Read.
  return place == 0 ? 0 : read.memory.length - std::min(packet.payload_length, read.memory.length);
}

void Responses::report_late(const Packet& packet, uint64_t place, bool known, const Stamp& at) {
  Late late;
  late.from = from_;
  late.of_reads = true;
  late.begin = place;
  late.end = place + 1;
  late.number = packet.psn;
  late.bytes = packet.payload_length;
  late.again = known;
  late.since = known ? first_copies_.find(place) : first_copies_.behind(place);
  late.previous = first_copies_.previous(place);
  late.at = at;
  outlet_.arrivals->on_late(late);
}

void Responses::deliver(const Packet& packet, const Stamp& at) {
  const PathMtu& mtu = outlet_.path_mtu;
  OutstandingRead* read = reads_.find(packet.psn, mtu.bytes_or_least());
  if (read == nullptr) {
    if (!reads_.overruns(packet.psn, mtu.bytes_or_least())) {
      requests_.confirm(packet.psn, at);  // answers a Request that was not seen, or one long forgotten
    }
    return;
  }
  // What is confirmed may set Read Requests free that waited, and they move the others.
  requests_.confirm(read->first_psn, at);
  read = reads_.find(packet.psn, mtu.bytes_or_least());
  if (read == nullptr) {
    return;
  }
  const auto place = static_cast<uint32_t>(psn_distance(packet.psn, read->first_psn));
  const uint64_t offset = offset_of(packet, *read);
  const uint64_t end = offset + packet.payload_length;
  if (watch_.response(*read, place, offset, mtu, packet, at) == OrderWatch::Fit::misfit) {
    return;
  }
  const uint64_t position = requests_.sent().sequence.place_of(packet.psn);
  const bool known = end > read->memory.length || read->delivered.add(offset, packet.payload_length) == 0;
  const bool asked = outlet_.arrivals != nullptr;
  if (asked && (known || first_copies_.behind(position))) [[unlikely]] {
    report_late(packet, position, known, at);
  }
  if (known) {
    if (packet.payload_length != 0) {
      outlet_.listener.on_retransmission(from_, at);
    }
    return;
  }
  if (asked) {
    first_copies_.add(position, at, reads_.oldest());
  }
  watch_.size(packet, at);
  if (read->done()) {
    if (const std::optional<ReadDepth::Peak> peak = reads_.complete(*read, at)) {
      outlet_.listener.on_anomaly(most_outstanding(*read, *peak, other(from_)));
    }
  }
  RdmaOp op;
  op.kind = OpKind::read_response;
  op.from = from_;
  op.id = read->id;
  op.first = offset == 0;
  op.last = end == read->memory.length;
  op.memory = {read->memory.handle, read->memory.offset + offset, packet.payload_length};
  op.payload = packet.payload;
  op.payload_length = packet.payload_length;
  op.frames = {&at, 1};
  outlet_.position = position + 1;
  outlet_.report(op);
}

}  // namespace steertag::rdma::roce
