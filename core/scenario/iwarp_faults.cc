// What an iWARP connection does when something goes wrong: Terminate in place of
// a NAK (RFC 5040 §4.8), TCP retransmission, FPDUs with a wrong marker or pad.
#include <algorithm>

#include "scenario/iwarp_transport.h"
#include "wire/writer.h"

namespace steertag::scenario {

namespace iwarp = rdma::iwarp;
using iwarp::Control;
using iwarp::Queue;
using iwarp::UntaggedHeader;

namespace {

struct Code {
  uint8_t layer, etype, code;
};

// RFC 5040 §4.8 and RFC 5041 §7.2: the counterpart of a RoCE NAK.
Code code_of(Complaint complaint, bool tagged, bool read) {
  switch (complaint) {
    case Complaint::invalid_request:
      return {1, 2, 5};  // message too long for the receive buffer
    case Complaint::rnr:
      return {1, 2, 2};  // no receive buffer
    case Complaint::remote_access:
      return tagged && !read ? Code{1, 1, 0} : Code{0, 1, 0};  // invalid STag
    case Complaint::remote_operational:
      return {0, 2, 7};
    case Complaint::sequence:
      break;
  }
  return {0, 0, 0};
}

}  // namespace

void IwarpTransport::complain(Side from, const ComplaintLine& complaint) {
  const End& end = end_of(from);
  Code code = code_of(complaint.complaint, end.received_tagged, end.received_read);
  if (complaint.terminate) {
    code = {complaint.terminate->layer, complaint.terminate->etype, complaint.terminate->code};
  }
  iwarp::TerminateHeader terminate;
  terminate.layer_etype = static_cast<uint8_t>(code.layer << 4 | (code.etype & 0xF));
  terminate.code = code.code;
  if (end.segment_length != 0 && code.layer < 2) {
    terminate.header_control = iwarp::TerminateHeader::kLength | iwarp::TerminateHeader::kDdp;
    terminate.segment_length = end.segment_length;
    terminate.terminated =
        end.received_tagged || complaint.handle ? end.tagged.control : end.untagged.control;
    terminate.tagged = end.tagged;
    terminate.tagged.stag = complaint.handle.value_or(end.tagged.stag);
    terminate.untagged = end.untagged;
    if (end.received_read && code.layer == 0) {
      terminate.header_control |= iwarp::TerminateHeader::kRdmap;
      terminate.read_request = end.read_request;
    }
  }
  std::vector<uint8_t> payload;
  wire::write(payload, terminate);
  UntaggedHeader header;
  header.control = Control::make(iwarp::Opcode::terminate, true);
  header.queue = Queue::terminate;
  untagged(from, header, payload);
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
