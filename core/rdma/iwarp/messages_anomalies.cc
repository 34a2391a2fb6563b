// What Messages notices about the DDP segments that it takes: RFC 5041 §4 and
// §5, RFC 5040 §4 and §5, as far as a tap can see them broken.
#include "rdma/iwarp/messages.h"

namespace steertag::rdma::iwarp {

using Kind = Anomaly::Kind;

namespace {

OpKind kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::write:
      return OpKind::write;
    case Opcode::read_request:
      return OpKind::read_request;
    case Opcode::read_response:
      return OpKind::read_response;
    case Opcode::send:
    case Opcode::send_invalidate:
    case Opcode::send_solicited:
    case Opcode::send_solicited_invalidate:
      return OpKind::send;
    default:
      return OpKind::other;
  }
}

Anomaly departure(Kind kind, uint64_t expected, uint64_t found) {
  Anomaly anomaly;
  anomaly.kind = kind;
  anomaly.expected = expected;
  anomaly.found = found;
  return anomaly;
}

}  // namespace

// Reports what is wrong with the FPDU at hand.
void Messages::note(Anomaly& anomaly) {
  anomaly.from = from_;
  anomaly.at = fpdu_->frames.back();
  anomaly.position = fpdu_->offset;
  listener_->on_anomaly(anomaly);
}

// The RDMAP version is 0 with implementations of the RDMA Consortium's drafts.
void Messages::watch_versions(const Control& control) {
  if (control.ddp_version() != 1) {
    Anomaly version = departure(Kind::ddp_version, 1, control.ddp_version());
    version.operation = kind_of(control.opcode());
    note(version);
  }
}

void Messages::cut_off(OpKind kind, uint64_t id, uint64_t bytes, const Stamp& start) {
  Anomaly cut = departure(Kind::cut_off, 0, bytes);
  cut.operation = kind;
  cut.id = id;
  cut.related = start;
  note(cut);
}

void Messages::watch_untagged(const UntaggedHeader& header, uint32_t length) {
  Half& half = halves_[index(from_)];
  const Opcode opcode = header.control.opcode();
  const Queue queue = queue_of(opcode);
  if (opcode <= Opcode::atomic_response && header.queue != queue) {
    Anomaly wrong =
        departure(Kind::queue_number, static_cast<uint64_t>(queue), static_cast<uint64_t>(header.queue));
    wrong.operation = kind_of(opcode);
    note(wrong);
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
      wrong = departure(Kind::message_offset, order.next, header.offset);
    }
  } else if (order.known && order.open && opens && header.sequence == order.sequence + 1) {
    cut_off(kind, kind == OpKind::send ? halves_[index(from_)].send_id : 0, order.next, order.at);
  } else if (order.known) {
    if (header.sequence != order.sequence + 1) {
      wrong = departure(Kind::message_number, order.sequence + 1, header.sequence);
    } else if (!opens) {
      wrong = departure(Kind::orphan, 0, header.offset);
    }
  }
  if (wrong) {
    wrong->operation = kind;
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
  Anomaly jump = same ? departure(Kind::tagged_offset, half.write_next, header.offset)
                      : departure(Kind::stag_change, half.write_stag, header.stag);
  jump.operation = OpKind::write;
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
    Anomaly unasked = departure(Kind::read_unasked, 0, length);
    unasked.operation = OpKind::read_response;
    note(unasked);
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
    wrong = departure(Kind::cut_off, size, read.delivered);
  } else if (size != 0 && header.stag != read.sink_stag) {
    wrong = departure(Kind::read_sink_stag, read.sink_stag, header.stag);
  } else if (size != 0 && header.offset != read.sink_offset + read.delivered) {
    wrong = departure(Kind::read_sink_offset, read.sink_offset + read.delivered, header.offset);
  } else if (bytes > size) {
    wrong = departure(Kind::read_long, size, bytes);
  } else if (bytes < size && header.control.last()) {
    wrong = departure(Kind::read_short, size, bytes);
  }
  if (wrong) {
    wrong->operation = OpKind::read_response;
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
  Anomaly peak = departure(Kind::reads_outstanding, 0, most->reads);
  peak.from = other(from_);
  peak.at = read.at;
  peak.related = most->first_done;
  peak.operation = OpKind::read_request;
  peak.id = read.id;
  peak.position = read.position;
  listener_->on_anomaly(peak);
}

}  // namespace steertag::rdma::iwarp
