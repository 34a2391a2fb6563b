#include "rdma/iwarp/messages.h"

#include "rdma/iwarp/rdmap.h"

namespace steertag::rdma::iwarp {
namespace {

using Kind = Anomaly::Kind;

Anomaly departure(OpKind operation, Kind kind, uint64_t expected, uint64_t found) {
  Anomaly anomaly;
  anomaly.operation = operation;
  anomaly.kind = kind;
  anomaly.expected = expected;
  anomaly.found = found;
  return anomaly;
}

}  // namespace

void Messages::begin(Side from) {
  Half& half = halves_[index(from)];
  for (Order& order : half.orders) {
    order.known = true;
  }
  half.reads_doubtful = false;
}

void Messages::on_gap(Side from) {
  Half& half = halves_[index(from)];
  half.write_doubtful = true;
  for (Order& order : half.orders) {
    order = {};
  }
  ++half.epoch;
  half.reads_doubtful = true;
  halves_[index(other(from))].reads_doubtful = true;
}

Messages::Outcome Messages::on_fpdu(Side from, const Fpdu& fpdu) {
  if (fpdu.ulpdu.size() < Control::kSize) {
    return Outcome::unreadable;
  }
  from_ = from;
  fpdu_ = &fpdu;
  wire::Reader reader(fpdu.ulpdu, fpdu.ulpdu_length);
  RdmaOp op;
  op.from = from;
  op.frames = fpdu.frames;
  op.end_position = fpdu.offset + fpdu.size;
  const Control control{fpdu.ulpdu[0], fpdu.ulpdu[1]};
  watch_versions(control);
  return control.tagged() ? tagged(from, reader, control, op)
                          : untagged(from, reader, control, op, fpdu.frames.back());
}

Messages::Outcome Messages::tagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op) {
  TaggedHeader header;
  TaggedHeader::layout(reader, header);
  if (reader.stopped()) {
    return Outcome::unreadable;
  }
  op.payload = reader.rest();
  op.payload_length = reader.remaining();
  op.last = control.last();
  op.memory = {header.stag, header.offset, op.payload_length};
  switch (control.opcode()) {
    case Opcode::write:
      watch_write(header);
      write(halves_[index(from)], header, op);
      break;
    case Opcode::read_response:
      read_response(from, header, op);
      break;
    default:
      op.kind = OpKind::other;
      op.memory = {};
      break;
  }
  listener_->on_op(op);
  return Outcome::delivered;
}

// Tagged messages carry no number: L ends one, and the next segment opens
// another (RFC 5041 §5.1). After missing segments only contiguity shows it.
void Messages::write(Half& half, const TaggedHeader& header, RdmaOp& op) {
  if (half.write_doubtful && half.write_open) {
    half.write_open = header.stag == half.write_stag && header.offset >= half.write_next;
  }
  half.write_doubtful = false;
  op.kind = OpKind::write;
  op.first = !half.write_open;
  if (op.first) {
    half.write_id = ++half.started;
    half.write_start = header.offset;
    half.write_at = op.frames.front();
  }
  op.id = half.write_id;
  half.write_open = !op.last;
  half.write_stag = header.stag;
  half.write_next = header.offset + op.payload_length;
}

Messages::Outcome Messages::untagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op,
                                     const Stamp& at) {
  UntaggedHeader header;
  UntaggedHeader::layout(reader, header);
  if (reader.stopped()) {
    return Outcome::unreadable;
  }
  Half& half = halves_[index(from)];
  op.payload = reader.rest();
  op.payload_length = reader.remaining();
  watch_untagged(header, op.payload_length);
  op.last = control.last();
  op.message_offset = header.offset;
  op.first = header.offset == 0;
  switch (control.opcode()) {
    case Opcode::send:
    case Opcode::send_invalidate:
    case Opcode::send_solicited:
    case Opcode::send_solicited_invalidate:
      send(half, header, op);
      break;
    case Opcode::read_request: {
      const Outcome outcome = read_request(half, reader, op);
      if (outcome != Outcome::delivered) {
        return outcome;
      }
      break;
    }
    case Opcode::terminate: {
      TerminateHeader terminate;
      TerminateHeader::layout(reader, terminate);
      terminate_ = terminate.fault(from, at, !reader.stopped());
      return Outcome::terminated;
    }
    default:
      op.kind = OpKind::other;
      op.immediate = control.opcode() == Opcode::immediate || control.opcode() == Opcode::immediate_solicited;
      op.id = control.opcode() == Opcode::atomic_response ? 0 : ++half.started;
      break;
  }
  listener_->on_op(op);
  return Outcome::delivered;
}

// All segments of a Send share its MSN (RFC 5041 §4.3).
void Messages::send(Half& half, const UntaggedHeader& header, RdmaOp& op) {
  const Opcode opcode = header.control.opcode();
  const bool goes_on = half.send_open && half.send_sequence == header.sequence && !op.first;
  op.kind = OpKind::send;
  if (!goes_on) {
    half.send_id = ++half.started;
    half.send_sequence = header.sequence;
  }
  op.id = half.send_id;
  half.send_open = !op.last;
  op.solicited = opcode == Opcode::send_solicited || opcode == Opcode::send_solicited_invalidate;
  if (op.last && (opcode == Opcode::send_invalidate || opcode == Opcode::send_solicited_invalidate)) {
    op.invalidate = header.invalidate_stag;
  }
}

Messages::Outcome Messages::read_request(Half& half, wire::Reader& reader, RdmaOp& op) {
  ReadRequestHeader header;
  ReadRequestHeader::layout(reader, header);
  op.id = ++half.started;
  if (reader.stopped()) {
    return Outcome::unreadable;
  }
  op.kind = OpKind::read_request;
  op.memory = {header.source_stag, header.source_offset, header.size};
  op.first = op.last = true;
  op.message_offset = 0;
  op.payload = {};
  op.payload_length = 0;
  OutstandingRead read;
  read.sink_stag = header.sink_stag;
  read.sink_offset = header.sink_offset;
  read.source = op.memory;
  read.id = op.id;
  read.epoch = half.epoch;
  read.position = fpdu_->offset;
  read.at = op.frames.back();
  read.turn = half.depth.request();
  if (half.reads.push(read) == Reads::Room::oldest_forgotten) {
    half.reads_doubtful = true;
  }
  return Outcome::delivered;
}

// Which RDMA Read a Read Response answers.

// Responses come in the order of the Requests (RFC 5040 §5.5), so those before
// the one that is answered have had theirs, unseen.
void Messages::read_response(Side from, const TaggedHeader& header, RdmaOp& op) {
  Half& asker = halves_[index(other(from))];
  op.kind = OpKind::read_response;
  op.memory = {0, 0, op.payload_length};
  watch_response(header, op.payload_length);
  const size_t place = asker.reads.find(header.stag, header.offset, op.payload_length);
  if (place == asker.reads.size()) {
    return;
  }
  OutstandingRead& read = asker.reads[place];
  const uint64_t into = header.offset - read.sink_offset;
  op.id = read.id;
  op.memory.handle = read.source.handle;
  op.memory.offset = read.source.offset + into;
  op.first = !read.begun && into == 0;
  if (into == 0 && read.epoch == asker.epoch && asker.reads.told_apart()) {
    asker.reads_doubtful = false;  // all Requests since then are known, and those before are answered
  }
  read.begun = true;
  read.delivered = into + op.payload_length;
  if (op.last) {
    complete(asker, place);
  }
  asker.reads.pop(place + (op.last ? 1 : 0));
}

// What Messages notices about the DDP segments that it takes: RFC 5041 §4 and
// §5, RFC 5040 §4 and §5, as far as a tap can see them broken.

// Reports what is wrong with the FPDU at hand.
void Messages::note(Anomaly anomaly) {
  anomaly.from = from_;
  anomaly.at = fpdu_->frames.back();
  anomaly.position = fpdu_->offset;
  listener_->on_anomaly(anomaly);
}

// The RDMAP version is 0 with implementations of the RDMA Consortium's drafts.
void Messages::watch_versions(const Control& control) {
  if (control.ddp_version() != 1) {
    note(departure(kind_of(control.opcode()), Kind::ddp_version, 1, control.ddp_version()));
  }
}

void Messages::cut_off(OpKind kind, uint64_t id, uint64_t bytes, const Stamp& start) {
  Anomaly cut = departure(kind, Kind::cut_off, 0, bytes);
  cut.id = id;
  cut.related = start;
  note(cut);
}

void Messages::watch_untagged(const UntaggedHeader& header, uint32_t length) {
  Half& half = halves_[index(from_)];
  const Opcode opcode = header.control.opcode();
  const Queue queue = queue_of(opcode);
  if (opcode <= Opcode::atomic_response && header.queue != queue) {
    note(departure(kind_of(opcode), Kind::queue_number, static_cast<uint64_t>(queue),
                   static_cast<uint64_t>(header.queue)));
    half.orders[static_cast<size_t>(queue)].known = false;
    return;
  }
  watch_order(header, length, half.orders[static_cast<size_t>(queue)]);
  // Send Queue work goes out in the order in which it was posted (RFC 5041 §5.3).
  const bool posted = queue == Queue::send || queue == Queue::read_request;
  if (posted && header.offset == 0 && half.write_open && !half.write_doubtful) {
    cut_off(OpKind::write, half.write_id, half.write_next - half.write_start, half.write_at);
    half.write_open = false;
  }
}

void Messages::watch_order(const UntaggedHeader& header, uint32_t length, Order& order) {
  const OpKind kind = kind_of(header.control.opcode());
  const bool opens = header.offset == 0;
  std::optional<Anomaly> wrong;
  if (order.known && order.open && header.sequence == order.sequence) {
    if (header.offset != order.next) {
      wrong = departure(kind, Kind::message_offset, order.next, header.offset);
    }
  } else if (order.known && order.open && opens && header.sequence == order.sequence + 1) {
    cut_off(kind, kind == OpKind::send ? halves_[index(from_)].send_id : 0, order.next, order.at);
  } else if (order.known) {
    if (header.sequence != order.sequence + 1) {
      wrong = departure(kind, Kind::message_number, order.sequence + 1, header.sequence);
    } else if (!opens) {
      wrong = departure(kind, Kind::orphan, 0, header.offset);
    }
  }
  if (wrong) {
    wrong->related = order.sequence != 0 ? std::optional<Stamp>(order.at) : std::nullopt;
    note(*wrong);
  }
  if (!order.open || order.sequence != header.sequence) {
    order.at = fpdu_->frames.front();
  }
  order.known = true;
  order.open = !header.control.last();
  order.sequence = header.sequence;
  order.next = header.offset + length;
}

void Messages::watch_write(const TaggedHeader& header) {
  Half& half = halves_[index(from_)];
  Order& sends = half.orders[static_cast<size_t>(Queue::send)];
  if (sends.known && sends.open) {
    cut_off(OpKind::send, half.send_id, sends.next, sends.at);
    sends.open = false;
  }
  if (!half.write_open || half.write_doubtful) {
    return;
  }
  const bool same = header.stag == half.write_stag;
  if (same && header.offset == half.write_next) [[likely]] {
    return;
  }
  Anomaly jump = same ? departure(OpKind::write, Kind::tagged_offset, half.write_next, header.offset)
                      : departure(OpKind::write, Kind::stag_change, half.write_stag, header.stag);
  jump.id = half.write_id;
  jump.related = half.write_at;
  note(jump);
}

// Read Responses answer Requests in their order, to the sinks that these named
// (RFC 5040 §5.2).
void Messages::watch_response(const TaggedHeader& header, uint32_t length) {
  Half& asker = halves_[index(other(from_))];
  if (asker.reads_doubtful) {
    return;
  }
  if (asker.reads.empty()) {
    note(departure(OpKind::read_response, Kind::read_unasked, 0, length));
    asker.reads_doubtful = true;
    return;
  }
  const OutstandingRead& read = asker.reads[0];
  const uint64_t bytes = read.delivered + length;
  const uint64_t size = read.source.length;
  std::optional<Anomaly> wrong;
  const auto starts = [&](const OutstandingRead& r) {
    return r.sink_stag == header.stag && r.sink_offset == header.offset;
  };
  if (read.begun && asker.reads.size() > 1 && header.offset != read.sink_offset + read.delivered &&
      starts(asker.reads[1])) {
    wrong = departure(OpKind::read_response, Kind::cut_off, size, read.delivered);
  } else if (size != 0 && header.stag != read.sink_stag) {
    wrong = departure(OpKind::read_response, Kind::read_sink_stag, read.sink_stag, header.stag);
  } else if (size != 0 && header.offset != read.sink_offset + read.delivered) {
    wrong = departure(OpKind::read_response, Kind::read_sink_offset, read.sink_offset + read.delivered,
                      header.offset);
  } else if (bytes > size) {
    wrong = departure(OpKind::read_response, Kind::read_long, size, bytes);
  } else if (bytes < size && header.control.last()) {
    wrong = departure(OpKind::read_response, Kind::read_short, size, bytes);
  }
  if (wrong) {
    wrong->id = read.id;
    wrong->related = read.at;
    note(*wrong);
    asker.reads_doubtful = true;
  }
}

// The Response to the nth of the Reads has ended.
void Messages::complete(Half& asker, size_t nth) {
  const OutstandingRead& read = asker.reads[nth];
  const Stamp& now = fpdu_->frames.back();
  if (asker.reads_doubtful) {
    return;  // perhaps it answers another one
  }
  const std::optional<ReadDepth::Peak> most = asker.depth.peak(read.turn, read.at);
  if (read.delivered >= read.source.length) {
    asker.depth.count(read.turn, asker.reads[0].turn, now);
  }
  if (!most) {
    return;
  }
  Anomaly peak = departure(OpKind::read_request, Kind::reads_outstanding, 0, most->reads);
  peak.from = other(from_);
  peak.at = read.at;
  peak.related = most->first_done;
  peak.id = read.id;
  peak.position = read.position;
  listener_->on_anomaly(peak);
}

}  // namespace steertag::rdma::iwarp
