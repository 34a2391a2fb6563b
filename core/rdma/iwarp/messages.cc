#include "rdma/iwarp/messages.h"

#include "rdma/iwarp/rdmap.h"

namespace steertag::rdma::iwarp {

void Messages::release() {
  for (Half& half : halves_) {
    half.reads.release();
  }
}

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
    case Opcode::terminate:
      return terminate(from, reader, at);
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

Messages::Outcome Messages::terminate(Side from, wire::Reader& reader, const Stamp& at) {
  TerminateHeader header;
  TerminateHeader::layout(reader, header);
  Fault fault;
  fault.kind = Fault::Kind::terminate;
  fault.from = from;
  fault.layer = header.layer();
  fault.etype = header.etype();
  fault.code = header.code;
  fault.at = at;
  const bool whole = !reader.stopped();
  if (whole && header.has_rdmap()) {
    fault.memory =
        Memory{header.read_request.source_stag, header.read_request.source_offset, header.read_request.size};
  } else if (whole && header.has_ddp() && header.terminated.tagged()) {
    const uint32_t length = header.segment_length;
    fault.memory = Memory{header.tagged.stag, header.tagged.offset,
                          length > TaggedHeader::kSize ? length - TaggedHeader::kSize : 0};
  }
  listener_->on_fault(fault);
  return Outcome::terminated;
}

}  // namespace steertag::rdma::iwarp
