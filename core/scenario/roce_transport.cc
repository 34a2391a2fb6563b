#include "scenario/roce_transport.h"

#include <algorithm>
#include <array>

#include "rdma/roce/psn.h"
#include "scenario/network.h"
#include "scenario/roce_packets.h"

namespace steertag::scenario {

namespace roce = rdma::roce;
using roce::CmAttribute;
using roce::CmMessage;
using roce::Packet;

namespace {

constexpr uint8_t kUnlimited = 0x1F;  // AETH: an ACK without a credit count

constexpr uint64_t kGuid = 0x0200000000000000;  // of the client's adapter; the server's is one more
constexpr uint16_t kInvalidServiceId = 8;

uint8_t depth(const std::optional<uint32_t>& depth) {
  return static_cast<uint8_t>(std::min<uint32_t>(depth.value_or(0), 255));
}

constexpr uint8_t kRnrNak = 0x20;  // AETH: and a timer code
constexpr uint8_t kRnrTimer = 14;  // 1.28 ms

// The codes of a NAK are in the order of Complaint.
uint8_t syndrome_of(Complaint complaint) {
  return complaint == Complaint::rnr ? kRnrNak | kRnrTimer
                                     : static_cast<uint8_t>(0x60 + static_cast<uint8_t>(complaint));
}

}  // namespace

RoceTransport::RoceTransport(const ConnectionSpec& spec, bool ipv6) : Transport(spec), ipv6_(ipv6) {
  reset_sequences();
}

void RoceTransport::reset_sequences() {
  for (const Side side : {kClient, kServer}) {
    End& end = end_of(side);
    end = End{};
    end.psn = end.line_psn = spec_.psn[rdma::index(side)] & roce::kPsnMask;
  }
}

Datagram RoceTransport::plain(Side from, Datagram::Kind kind, Packet packet) const {
  if (packet.opcode != roce::Opcode::ud_send_only) {
    packet.dest_qp = spec_.qpn[rdma::index(rdma::other(from))];
  }
  Datagram datagram;
  datagram.from = from;
  datagram.kind = kind;
  datagram.psn = packet.psn;
  roce::encode(packet, datagram.bytes);
  return datagram;
}

// Null where the line leaves the packet out.
Datagram* RoceTransport::emit(Side from, Datagram::Kind kind, const Packet& packet) {
  if (!next_packet()) {
    return nullptr;
  }
  Packet changed = packet;
  if (const auto length = patched_value("payload")) {
    changed.payload = slice(packet.payload, 0, *length);
    changed.pad = roce::pad_for(changed.payload.size());
  }
  Datagram made = plain(from, kind, changed);
  patch(outline(changed, made.bytes), made.bytes);
  Datagram& datagram = add(from, kind, std::move(made.bytes));
  datagram.psn = packet.psn;
  datagram.bad_checksum = bad_checksum();
  return &datagram;
}

// The packets of one request, in order.
void RoceTransport::message(Side from, std::vector<Packet> packets, bool read) {
  End& sender = end_of(from);
  End& receiver = end_of(rdma::other(from));
  packets.back().ack_request = true;
  for (Packet& packet : packets) {
    packet.psn = sender.psn;
    if (emit(from, Datagram::Kind::request, packet) && !read) {
      receiver.received_psn = sender.psn;
      receiver.owed = sender.psn;
      sender.psn = roce::psn_add(sender.psn, 1);
    }
  }
  receiver.msn = (receiver.msn + 1) & roce::kPsnMask;
}

void RoceTransport::send(Side from, const Send& send) {
  std::vector<Packet> packets = fragment(kSend, send.bytes, spec_.mtu);
  Packet& last = packets.back();
  last.opcode = variant(last.opcode, send.immediate, send.invalidate.has_value());
  last.solicited = send.solicited;
  last.immediate = 0;
  last.ieth = roce::Ieth{send.invalidate.value_or(0)};
  message(from, std::move(packets));
}

void RoceTransport::write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) {
  std::vector<Packet> packets = fragment(kWrite, data, spec_.mtu);
  packets.front().reth = roce::Reth{memory.offset, memory.handle, memory.length};
  packets.back().opcode = variant(packets.back().opcode, immediate, false);
  packets.back().immediate = 0;
  message(from, std::move(packets));
}

void RoceTransport::request_read(Request& request) {
  const rdma::Memory& memory = request.memory;
  Packet packet;
  packet.opcode = roce::Opcode::read_request;
  packet.reth = roce::Reth{memory.offset, memory.handle, memory.length};
  End& sender = end_of(request.from);
  End& receiver = end_of(rdma::other(request.from));
  request.psn = sender.psn;
  message(request.from, {packet}, true);
  receiver.received_psn = request.psn;
  receiver.owed.reset();  // the Response acknowledges what came before it
  sender.psn = roce::psn_add(sender.psn, roce::psn_count(memory.length, spec_.mtu));
}

void RoceTransport::respond(const Request& request) {
  responses(rdma::other(request.from), request.psn, request.memory, request.data, true);
}

void RoceTransport::responses(Side from, uint32_t psn, const rdma::Memory& memory, Bytes data, bool counted) {
  uint32_t offset = 0;
  for (Packet& packet : fragment(kResponse, data, spec_.mtu)) {
    packet.psn = psn;
    packet.aeth = roce::Aeth{kUnlimited, end_of(from).msn};
    Datagram* made = nullptr;
    if (counted) {
      made = emit(from, Datagram::Kind::response, packet);
    } else {
      out_->push_back(plain(from, Datagram::Kind::response, packet));
      made = &out_->back();
    }
    if (made) {
      made->rest = rdma::Memory{memory.handle, memory.offset + offset,
                                memory.length - std::min(memory.length, offset)};
      psn = roce::psn_add(psn, 1);
    }
    offset += packet.payload_length;
  }
}

Packet RoceTransport::acknowledgment(Side from, uint32_t psn, uint8_t syndrome) {
  Packet packet;
  packet.opcode = roce::Opcode::acknowledge;
  packet.psn = psn;
  packet.aeth = roce::Aeth{syndrome, end_of(from).msn};
  return packet;
}

void RoceTransport::acknowledge(Side from) {
  End& end = end_of(from);
  if (end.owed) {
    emit(from, Datagram::Kind::acknowledgment, acknowledgment(from, *end.owed, kUnlimited));
    end.owed.reset();
  }
}

void RoceTransport::mark(Side from) {
  end_of(from).line_psn = end_of(from).psn;
}

void RoceTransport::rewind(Side from) {
  End& end = end_of(from);
  end.furthest = end.psn;
  end.psn = end.line_psn;
}

void RoceTransport::forward(Side from) {
  End& end = end_of(from);
  if (roce::psn_distance(end.furthest, end.psn) > 0) {
    end.psn = end.furthest;
  }
}

// --- connection management (IBTA vol. 1, chapter 12): REQ, REP, RTU as the RDMA IP CM Service of Annex A11
// sends them, REJ, DREQ and DREP; UD Sends on QP1 ---

void RoceTransport::management(Side from, const CmMessage& message) {
  std::vector<uint8_t> mad;
  roce::encode(message, mad);
  roce::Packet packet;
  packet.opcode = roce::Opcode::ud_send_only;
  packet.dest_qp = roce::kGeneralServicesQp;
  packet.psn = mad_psn_++;
  packet.deth = roce::Deth{roce::kGeneralServicesQKey, 0, roce::kGeneralServicesQp};
  packet.payload = mad;
  emit(from, Datagram::Kind::setup, packet);
}

CmMessage RoceTransport::connection_request(Side active) {
  const size_t own = rdma::index(active), peer = rdma::index(rdma::other(active));
  const NetworkEnds ends = network_ends(spec_, active, ipv6_);
  CmMessage message;
  message.attribute = CmAttribute::req;
  message.local_comm_id = comm_id(active);
  message.transaction_id = message.local_comm_id;
  message.service_id = roce::ip_service_id(spec_.port);
  message.local_ca_guid = kGuid + own;
  message.local_qpn = spec_.qpn[own];
  message.responder_resources = message.initiator_depth = depth(spec_.depth[own]);
  message.starting_psn = spec_.psn[peer];
  message.req_transport = 20 << 3;
  message.req_retry = 18 << 3 | 7;
  message.req_mtu = 7;
  message.set_path_mtu(spec_.path_mtu != 0 ? spec_.path_mtu : spec_.mtu);
  message.req_cm_retries = 15 << 4;
  message.primary_local_lid = message.primary_remote_lid = 0xFFFF;
  message.primary_local_gid = ends.source.octets;
  message.primary_remote_gid = ends.destination.octets;
  roce::IpCmHeader ip;
  ip.source_port = spec_.source_port;
  ip.set(ends.source, ends.destination);
  message.ip = ip;
  return message;
}

void RoceTransport::connect(const ConnectionSpec& spec, Side active) {
  spec_ = spec;
  reset_sequences();
  ++epoch_;
  const Side passive = rdma::other(active);
  const size_t own = rdma::index(active), peer = rdma::index(passive);

  CmMessage req = connection_request(active);
  const std::vector<uint8_t> asked = private_data(spec_.private_data[own]);
  req.private_data = asked;
  management(active, req);
  if (spec_.mra) {
    ask_to_wait(passive, req);
  }
  if (spec_.answer == ConnectionSpec::Answer::none || spec_.answer == ConnectionSpec::Answer::silent) {
    return;
  }
  const bool accepted = spec_.answer == ConnectionSpec::Answer::accepted;

  CmMessage rep;
  rep.attribute = accepted ? CmAttribute::rep : CmAttribute::rej;
  rep.transaction_id = req.transaction_id;
  rep.local_comm_id = comm_id(passive);
  rep.remote_comm_id = req.local_comm_id;
  rep.local_ca_guid = kGuid + peer;
  rep.local_qpn = spec_.qpn[peer];
  rep.responder_resources = rep.initiator_depth = depth(spec_.depth[peer]);
  rep.starting_psn = spec_.psn[own];
  rep.rep_delay = 15 << 3;
  rep.rep_retry = 7 << 5;
  rep.reject_reason = spec_.rejected() ? spec_.reject_reason : kInvalidServiceId;
  const std::vector<uint8_t> answered = private_data(spec_.private_data[peer]);
  rep.private_data = answered;
  management(passive, rep);

  if (accepted) {
    CmMessage rtu;
    rtu.attribute = CmAttribute::rtu;
    rtu.transaction_id = req.transaction_id;
    rtu.local_comm_id = req.local_comm_id;
    rtu.remote_comm_id = rep.local_comm_id;
    management(active, rtu);
  }
}

// An MRA (IBTA vol. 1, §12.6.6), about the REQ: the answer may take a while.
void RoceTransport::ask_to_wait(Side from, const CmMessage& request) {
  CmMessage mra;
  mra.attribute = CmAttribute::mra;
  mra.transaction_id = request.transaction_id;
  mra.local_comm_id = comm_id(from);
  mra.remote_comm_id = request.local_comm_id;
  mra.reason_length = static_cast<uint8_t>(*spec_.mra << 3);
  management(from, mra);
}

// Each end's own, new ones for every connection that does not say otherwise.
uint32_t RoceTransport::comm_id(Side side) const {
  const uint32_t epoch = spec_.comm.value_or(epoch_ == 0 ? 1 : epoch_);
  return 0x10000 * epoch + (side == kServer ? 0x8000 : 0) + spec_.qpn[rdma::index(side)];
}

void RoceTransport::disconnect(Side from, bool reset) {
  if (reset) {
    return;  // a QP in error falls silent
  }
  const Side peer = rdma::other(from);
  CmMessage message;
  message.attribute = CmAttribute::dreq;
  message.transaction_id = comm_id(from) + 0x1000;
  message.local_comm_id = comm_id(from);
  message.remote_comm_id = comm_id(peer);
  message.remote_qpn = spec_.qpn[rdma::index(peer)];
  management(from, message);
  message.attribute = CmAttribute::drep;
  std::swap(message.local_comm_id, message.remote_comm_id);
  management(peer, message);
}

// --- what goes wrong: NAK and RNR NAK, going back to the lost packet, restarting an RDMA Read (IBTA vol. 1
// §9.7) ---

void RoceTransport::complain(Side from, const ComplaintLine& complaint) {
  End& end = end_of(from);
  end.owed.reset();
  emit(from, Datagram::Kind::acknowledgment,
       acknowledgment(from, complaint.psn.value_or(end.received_psn), syndrome_of(complaint.complaint)));
}

void RoceTransport::acknowledge_stray(Side from, const AckLine& line) {
  emit(from, Datagram::Kind::acknowledgment,
       acknowledgment(from, line.psn.value_or(end_of(from).received_psn), kUnlimited));
}

// A CNP (Annex A17 of IBTA vol. 1): its PSN says nothing, 16 bytes are reserved.
void RoceTransport::slow_down(Side from) {
  constexpr std::array<uint8_t, 16> reserved{};
  Packet packet;
  packet.opcode = roce::Opcode::cnp;
  packet.becn = true;
  packet.payload = reserved;
  emit(from, Datagram::Kind::acknowledgment, packet);
}

// RNR NAK for the first packet of the line, then all of it again; so many times.
void RoceTransport::receiver_not_ready(Side from) {
  const Side receiver = rdma::other(from);
  std::vector<Datagram> again;
  for (const Datagram& datagram : *out_) {
    if (datagram.from == from && datagram.kind == Datagram::Kind::request) {
      again.push_back(datagram);
      again.back().number = 0;
    }
  }
  if (again.empty()) {
    return;
  }
  const auto syndrome = static_cast<uint8_t>(kRnrNak | handling_->rnr_timer.value_or(kRnrTimer));
  for (uint32_t i = 0; i < handling_->rnr_times; ++i) {
    emit(receiver, Datagram::Kind::acknowledgment, acknowledgment(receiver, again.front().psn, syndrome));
    out_->insert(out_->end(), again.begin(), again.end());
  }
  acknowledge(receiver);
}

std::vector<Datagram> RoceTransport::repair(const std::vector<Datagram>& line, size_t first,
                                            const std::vector<bool>&) {
  const Datagram& hole = line[first];
  const Side receiver = rdma::other(hole.from);
  std::vector<Datagram> repaired;
  if (hole.kind == Datagram::Kind::response && hole.rest) {
    // The requester asks again for what it lacks, inside the first request's PSNs.
    std::vector<uint8_t> data;
    for (size_t i = first; i < line.size() && line[i].kind == Datagram::Kind::response; ++i) {
      Packet packet;
      roce::decode(line[i].bytes, static_cast<uint32_t>(line[i].bytes.size() + roce::kIcrcSize), packet);
      if (line[i].rest->handle != hole.rest->handle) {
        break;
      }
      data.insert(data.end(), packet.payload.begin(), packet.payload.end());
    }
    Packet request;
    request.opcode = roce::Opcode::read_request;
    request.ack_request = true;
    request.psn = hole.psn;
    request.reth = roce::Reth{hole.rest->offset, hole.rest->handle, hole.rest->length};
    repaired.push_back(plain(receiver, Datagram::Kind::request, request));
    std::vector<Datagram>* const out = out_;
    out_ = &repaired;
    responses(hole.from, hole.psn, *hole.rest, data, false);
    out_ = out;
    return repaired;
  }
  const auto later = [&](const Datagram& d) { return d.from == hole.from && d.kind == hole.kind; };
  const auto begin = line.begin() + static_cast<ptrdiff_t>(first);
  if (hole.kind == Datagram::Kind::request && std::any_of(begin + 1, line.end(), later)) {
    repaired.push_back(
        plain(receiver, Datagram::Kind::acknowledgment, acknowledgment(receiver, hole.psn, 0x60)));
  }
  if (hole.kind == Datagram::Kind::acknowledgment && first > 0) {
    repaired.push_back(line[first - 1]);  // the sender hears nothing and retransmits
  }
  std::copy_if(begin, line.end(), std::back_inserter(repaired), later);
  return repaired;
}

}  // namespace steertag::scenario
