#include "scenario/iwarp_transport.h"

#include <algorithm>

#include "scenario/iwarp_frames.h"
#include "scenario/rpc_message.h"
#include "wire/writer.h"

namespace steertag::scenario {

namespace iwarp = rdma::iwarp;
using iwarp::Control;
using iwarp::ReadRequestHeader;
using iwarp::SetupFrame;
using iwarp::TaggedHeader;
using iwarp::UntaggedHeader;

namespace {

constexpr uint32_t kFpduOverhead = 6;  // length field and CRC
constexpr uint32_t kFirstSink = 0x5A000100;

}  // namespace

IwarpTransport::IwarpTransport(const ConnectionSpec& spec) : Transport(spec) {
  reset_sequences();
}

void IwarpTransport::reset_sequences() {
  for (const Side side : {kClient, kServer}) {
    End& end = end_of(side);
    end = End{};
    end.now.sequence = spec_.sequence[rdma::index(side)] + 1 + epoch_ * 0x10000000;
    end.line = end.now;
    end.sink_stag = kFirstSink + 0x100 * static_cast<uint32_t>(rdma::index(side));
  }
}

// RFC 5044 §5.1: the largest ULPDU whose FPDU fits a segment, markers included.
uint32_t IwarpTransport::room() const {
  const bool markers = spec_.markers[0] || spec_.markers[1];
  const uint32_t marked = markers ? iwarp::Marker::kSize * (spec_.mss / iwarp::Marker::kInterval + 1) : 0;
  return ((spec_.mss - marked) & ~3u) - kFpduOverhead;
}

void IwarpTransport::fpdu(Side from, std::vector<uint8_t> ulpdu, const std::vector<wire::Node>& nodes,
                          Datagram::Kind kind) {
  const bool aligned = spec_.resegment == 0;
  if (aligned && !next_packet()) {
    return;
  }
  patch(nodes, ulpdu);
  const iwarp::Markers markers{spec_.markers[rdma::index(rdma::other(from))], 0};
  std::vector<uint8_t> bytes;
  uint64_t& position = end_of(from).now.position;
  const uint64_t start = position;
  iwarp::encode_fpdu(bytes, ulpdu, spec_.crc, markers, position);
  if (aligned) {
    reframe(bytes, ulpdu.size(), start, markers);
  }
  if (aligned && bad_checksum()) {
    bytes.back() ^= 0xFF;
  }
  if (aligned) {
    segment(from, kind, std::move(bytes));
  } else {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  }
}

// With `segment=`: what is pending, cut without regard to FPDUs.
void IwarpTransport::flush(Side from, Datagram::Kind kind) {
  for (size_t at = 0; at < pending_.size(); at += spec_.resegment) {
    const Bytes piece = slice(pending_, at, spec_.resegment);
    if (next_packet()) {
      segment(from, kind, std::vector<uint8_t>(piece.begin(), piece.end()));
    }
  }
  pending_.clear();
}

Datagram* IwarpTransport::segment(Side from, Datagram::Kind kind, std::vector<uint8_t> data) {
  End& sender = end_of(from);
  End& receiver = end_of(rdma::other(from));
  Datagram& datagram = add(from, kind, std::move(data));
  datagram.sequence = sender.now.sequence;
  datagram.acknowledged = receiver.now.sequence;
  datagram.window = sender.window;
  sender.now.sequence += static_cast<uint32_t>(datagram.bytes.size());
  sender.owes = false;
  receiver.owes = receiver.owes || !datagram.bytes.empty();
  return &datagram;
}

void IwarpTransport::untagged(Side from, iwarp::Opcode opcode, Bytes payload, uint32_t invalidate_stag) {
  End& receiver = end_of(rdma::other(from));
  UntaggedHeader header;
  header.invalidate_stag = invalidate_stag;
  header.queue = iwarp::queue_of(opcode);
  header.sequence = end_of(from).now.msn[static_cast<size_t>(header.queue)]++;
  const size_t room_here = room() - UntaggedHeader::kSize;
  size_t offset = 0;
  do {
    const Bytes piece = slice(payload, offset, room_here);
    header.control = Control::make(opcode, offset + piece.size() == payload.size());
    header.offset = static_cast<uint32_t>(offset);
    std::vector<uint8_t> ulpdu;
    wire::write(ulpdu, header);
    ulpdu.insert(ulpdu.end(), piece.begin(), piece.end());
    receiver.received.untagged = header;
    receiver.received.length = static_cast<uint16_t>(ulpdu.size());
    receiver.received.is_tagged = false;
    receiver.received.is_read = opcode == iwarp::Opcode::read_request;
    const std::vector<wire::Node> nodes = outline(ulpdu, false, receiver.received.is_read);
    fpdu(from, std::move(ulpdu), nodes, Datagram::Kind::request);
    offset += piece.size();
  } while (offset < payload.size());
  flush(from, Datagram::Kind::request);
}

void IwarpTransport::tagged(Side from, iwarp::Opcode opcode, uint32_t stag, uint64_t start, Bytes payload,
                            Datagram::Kind kind) {
  End& receiver = end_of(rdma::other(from));
  const size_t room_here = room() - TaggedHeader::kSize;
  size_t offset = 0;
  do {
    const Bytes piece = slice(payload, offset, room_here);
    const TaggedHeader header{Control::make(opcode, offset + piece.size() == payload.size()), stag,
                              start + offset};
    std::vector<uint8_t> ulpdu;
    wire::write(ulpdu, header);
    ulpdu.insert(ulpdu.end(), piece.begin(), piece.end());
    receiver.received.tagged = header;
    receiver.received.length = static_cast<uint16_t>(ulpdu.size());
    receiver.received.is_tagged = true;
    receiver.received.is_read = false;
    const std::vector<wire::Node> nodes = outline(ulpdu, true, false);
    fpdu(from, std::move(ulpdu), nodes, kind);
    offset += piece.size();
  } while (offset < payload.size());
  flush(from, kind);
}

void IwarpTransport::send(Side from, const Send& send) {
  const iwarp::Opcode opcode = send.invalidate  ? (send.solicited ? iwarp::Opcode::send_solicited_invalidate
                                                                  : iwarp::Opcode::send_invalidate)
                               : send.solicited ? iwarp::Opcode::send_solicited
                                                : iwarp::Opcode::send;
  untagged(from, opcode, send.bytes, send.invalidate.value_or(0));
  if (send.immediate) {
    untagged(from, iwarp::Opcode::immediate, pattern(8, 0));
  }
}

void IwarpTransport::write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) {
  tagged(from, iwarp::Opcode::write, memory.handle, memory.offset, data, Datagram::Kind::request);
  if (immediate) {
    untagged(from, iwarp::Opcode::immediate, pattern(8, 0));
  }
}

void IwarpTransport::request_read(Request& request) {
  request.sink_stag = end_of(request.from).sink_stag++;
  ReadRequestHeader read;
  read.sink_stag = request.sink_stag;
  read.size = request.memory.length;
  read.source_stag = request.memory.handle;
  read.source_offset = request.memory.offset;
  std::vector<uint8_t> payload;
  wire::write(payload, read);
  end_of(rdma::other(request.from)).received.read_request = read;
  untagged(request.from, iwarp::Opcode::read_request, payload);
}

void IwarpTransport::respond(const Request& request) {
  tagged(rdma::other(request.from), iwarp::Opcode::read_response, request.sink_stag, 0, request.data,
         Datagram::Kind::response);
}

void IwarpTransport::acknowledge(Side from) {
  if (end_of(from).owes && next_packet()) {
    segment(from, Datagram::Kind::acknowledgment, {});
  }
}

void IwarpTransport::say_room(Side from, bool room) {
  end_of(from).window = room ? 0xFFFF : 0;
  if (next_packet()) {
    segment(from, Datagram::Kind::acknowledgment, {});
  }
}

void IwarpTransport::mark(Side from) {
  end_of(from).line = end_of(from).now;
}

void IwarpTransport::rewind(Side from) {
  End& end = end_of(from);
  end.furthest = end.now;
  end.now = end.line;
}

void IwarpTransport::forward(Side from) {
  End& end = end_of(from);
  if (static_cast<int32_t>(end.furthest.sequence - end.now.sequence) > 0) {
    end.now = end.furthest;
  }
}

// --- setup and end: TCP handshake, MPA Request and Reply, ready-to-receive messages, FIN and RST ---

// A segment without data; SYN and FIN take one sequence number.
void IwarpTransport::control(Side from, Flag what) {
  if (!next_packet()) {
    return;
  }
  Datagram* made = segment(from, Datagram::Kind::setup, {});
  made->syn = what == Flag::syn;
  made->fin = what == Flag::fin;
  made->rst = what == Flag::rst;
  if (made->syn || made->fin) {
    ++end_of(from).now.sequence;
  }
}

void IwarpTransport::setup_frame(Side from, SetupKind kind) {
  std::vector<uint8_t> data;
  const SetupFrame frame = setup_frame_of(spec_, from, kind == SetupKind::reply, data);
  if (!next_packet()) {
    return;
  }
  std::vector<uint8_t> bytes;
  wire::write(bytes, frame);
  std::vector<wire::Node> nodes;
  SetupFrame scratch;
  const std::vector<uint8_t> header = bytes;
  wire::outline(header, header.size(), scratch, nodes);
  bytes.insert(bytes.end(), data.begin(), data.end());
  patch(nodes, bytes);
  segment(from, Datagram::Kind::setup, std::move(bytes));
}

void IwarpTransport::connect(const ConnectionSpec& spec, Side active) {
  spec_ = spec;
  reset_sequences();
  ++epoch_;
  const Side passive = rdma::other(active);
  for (const Side side : {kClient, kServer}) {
    --end_of(side).now.sequence;  // the SYN's own
  }
  control(active, Flag::syn);
  if (!out_->empty()) {
    out_->back().ack = false;
  }
  if (spec_.answer == ConnectionSpec::Answer::none) {
    return;
  }
  if (spec_.answer == ConnectionSpec::Answer::refused) {
    return control(passive, Flag::rst);
  }
  control(passive, Flag::syn);
  control(active, Flag::ack);
  setup_frame(active, SetupKind::request);
  acknowledge(passive);
  if (spec_.answer == ConnectionSpec::Answer::silent) {
    return;
  }
  setup_frame(passive, SetupKind::reply);
  acknowledge(active);
  for (const Side side : {kClient, kServer}) {
    mark(side);
  }
  switch (spec_.rtr) {
    case ConnectionSpec::Rtr::none:
      break;
    case ConnectionSpec::Rtr::send:
      send(active, {});
      break;
    case ConnectionSpec::Rtr::write:
      write(active, {}, {}, false);
      break;
    case ConnectionSpec::Rtr::read:
      read(active, {}, {});
      break;
  }
}

void IwarpTransport::disconnect(Side from, bool reset) {
  const Side peer = rdma::other(from);
  if (reset) {
    return control(from, Flag::rst);
  }
  control(from, Flag::fin);
  control(peer, Flag::fin);
  control(from, Flag::ack);
}

// --- what goes wrong: Terminate in place of a NAK, TCP retransmission, FPDUs with a wrong marker or pad ---

void IwarpTransport::complain(Side from, const ComplaintLine& complaint) {
  const iwarp::TerminateHeader terminate = terminate_of(complaint, end_of(from).received);
  std::vector<uint8_t> payload;
  wire::write(payload, terminate);
  untagged(from, iwarp::Opcode::terminate, payload);
}

void IwarpTransport::receiver_not_ready(Side from) {
  complain(rdma::other(from), {.complaint = Complaint::rnr});
}

std::vector<Datagram> IwarpTransport::repair(const std::vector<Datagram>& line, size_t first,
                                             const std::vector<bool>& lost) {
  const Datagram& hole = line[first];
  std::vector<Datagram> repaired;
  const auto later = [&](const Datagram& d) { return d.from == hole.from && !d.bytes.empty(); };
  if (!hole.bytes.empty() &&
      std::any_of(line.begin() + static_cast<ptrdiff_t>(first) + 1, line.end(), later)) {
    Datagram complaint;  // a duplicate acknowledgement
    complaint.from = rdma::other(hole.from);
    complaint.kind = Datagram::Kind::acknowledgment;
    complaint.sequence = hole.acknowledged;
    complaint.acknowledged = hole.sequence;
    repaired.push_back(complaint);
  }
  if (hole.bytes.empty() && first > 0 && hole.kind == Datagram::Kind::acknowledgment) {
    repaired.push_back(line[first - 1]);  // not acknowledged: it is retransmitted
  }
  for (size_t i = first; i < line.size(); ++i) {
    if (lost[i]) {
      repaired.push_back(line[i]);
    }
  }
  return repaired;
}

// Markers and pad are not fields of a header: what a line says of them goes into
// the FPDU, and its CRC follows.
void IwarpTransport::reframe(std::vector<uint8_t>& fpdu, size_t ulpdu_length, uint64_t start,
                             const iwarp::Markers& markers) {
  const size_t crc = fpdu.size() - 4;
  bool changed = false;
  size_t marker = 0;
  while (marker < crc && !markers.at(start + marker)) {
    ++marker;
  }
  if (marker < crc) {
    if (const auto value = patched_value("marker")) {
      fpdu[marker + 2] = static_cast<uint8_t>(*value >> 8);
      fpdu[marker + 3] = static_cast<uint8_t>(*value);
      changed = true;
    }
  }
  if ((2 + ulpdu_length) % 4 != 0 && !markers.at(start + crc - iwarp::Marker::kSize)) {
    if (const auto value = patched_value("pad")) {
      fpdu[crc - 1] = static_cast<uint8_t>(*value);
      changed = true;
    }
  }
  if (changed && spec_.crc) {
    const uint32_t value = iwarp::crc32c(Bytes(fpdu).first(crc));
    for (unsigned i = 0; i < 4; ++i) {
      fpdu[crc + i] = static_cast<uint8_t>(value >> (8 * i));
    }
  }
}

}  // namespace steertag::scenario
