// What a pair of QPs does when something goes wrong: NAK and RNR NAK, going back
// to the lost packet, restarting an RDMA Read (IBTA vol. 1 §9.7).
#include <algorithm>
#include <array>

#include "scenario/roce_transport.h"

namespace steertag::scenario {

namespace roce = rdma::roce;
using roce::Packet;

namespace {

constexpr uint8_t kRnrNak = 0x20 | 14;  // timer code 14: 1.28 ms

uint8_t syndrome_of(Complaint complaint) {
  switch (complaint) {
    case Complaint::sequence:
      return 0x60;
    case Complaint::invalid_request:
      return 0x61;
    case Complaint::remote_access:
      return 0x62;
    case Complaint::remote_operational:
      return 0x63;
    case Complaint::rnr:
      return kRnrNak;
  }
  return 0x60;
}

}  // namespace

void RoceTransport::complain(Side from, const ComplaintLine& complaint) {
  End& end = end_of(from);
  end.owed.reset();
  emit(from, Datagram::Kind::acknowledgment,
       acknowledgment(from, complaint.psn.value_or(end.received_psn), syndrome_of(complaint.complaint)));
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

// RNR NAK for the first packet of the line, then all of it again.
void RoceTransport::receiver_not_ready(Side from) {
  const Side receiver = rdma::other(from);
  std::vector<Datagram> again;
  for (const Datagram& datagram : *out_) {
    if (datagram.from == from && datagram.kind == Datagram::Kind::request) {
      again.push_back(datagram);
      again.back().number = 0;
    }
  }
  if (!again.empty()) {
    emit(receiver, Datagram::Kind::acknowledgment, acknowledgment(receiver, again.front().psn, kRnrNak));
    out_->insert(out_->end(), again.begin(), again.end());
    acknowledge(receiver);
  }
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
