#include "sanitize/rdma_rewriter.h"

#include <algorithm>
#include <bit>

#include "rdma/roce/bth.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/headers.h"
#include "rdma/roce/path_mtu.h"
#include "rpcrdma/header.h"
#include "sanitize/checksum.h"
#include "sanitize/setup.h"

namespace steertag::sanitize {
namespace {

// Whether it may be a packet: of any, the number of a partition is not 0 (IBTA vol. 1 §10.9.1).
bool has_partition(const rdma::roce::Packet& packet) {
  return (packet.p_key & 0x7FFF) != 0;
}

PacketName name_of(const rdma::roce::Packet& packet) {
  return {packet.dest_qp, packet.psn, shape(packet.opcode).operation};
}

// Whether a Send begins there, with a transport header of a known version.
bool begins_message(const rdma::roce::Packet& packet, Bytes payload) {
  namespace roce = rdma::roce;
  const roce::Shape& shape = roce::shape(packet.opcode);
  const bool begins = shape.place == roce::Place::first || shape.place == roce::Place::only;
  rpcrdma::TransportHeader header;
  return shape.operation == roce::Operation::send && begins &&
         rpcrdma::decode(payload, static_cast<uint32_t>(payload.size()), header).header_length >=
             rpcrdma::fixed_header_length &&
         (header.version == 1 || header.version == 2);
}

// Of a message of several packets all but the last have as many bytes as a path MTU (IBTA vol. 1 §9.7).
bool is_path_mtu(uint32_t bytes) {
  using rdma::roce::PathMtu;
  return std::has_single_bit(bytes) && bytes >= PathMtu::kLeast && bytes <= PathMtu::kMost;
}

// Whether what is behind the BTH is as its opcode has it: else it may be content behind a wrong opcode.
bool fits(const rdma::roce::Packet& packet) {
  namespace roce = rdma::roce;
  constexpr uint32_t kMost = 1u << 31;  // bytes of a message, IBTA 9.7.3
  constexpr uint32_t kAtomic = 8;       // bytes of an ATOMIC WRITE, IBTA annex A19
  const roce::Shape& shape = roce::shape(packet.opcode);
  const uint32_t length = packet.payload_length, whole = packet.reth ? packet.reth->length : 0;
  const bool refuses = packet.aeth && !packet.aeth->is_ack();
  if ((!shape.payload && length != 0) || whole > kMost ||
      (shape.operation == roce::Operation::read_response && refuses)) {
    return false;
  }
  if (packet.opcode == roce::Opcode::atomic_write) {
    return whole == kAtomic && length == kAtomic;
  }
  return !packet.reth || shape.operation != roce::Operation::write ||
         (shape.place == roce::Place::only ? whole == length : whole > length && is_path_mtu(length));
}

}  // namespace

bool OpenMessages::interrupted_by(const link::Packet& packet, const rdma::roce::Packet& read) const {
  const auto goes_on_at = [&](bool responses) {
    const auto found = next_.find({packet.source, packet.destination, read.dest_qp, responses});
    return found != next_.end() && found->second == read.psn;
  };
  const rdma::roce::Shape& shape = rdma::roce::shape(read.opcode);
  const bool invalidates = (shape.extensions & rdma::roce::kIeth) != 0;
  const bool begins =
      shape.place == rdma::roce::Place::first || (shape.place == rdma::roce::Place::only && invalidates);
  return begins && (goes_on_at(false) || goes_on_at(true));
}

void OpenMessages::add(const link::Packet& packet, const rdma::roce::Packet& read) {
  namespace roce = rdma::roce;
  const roce::Shape& shape = roce::shape(read.opcode);
  if (!shape.payload) {
    return;
  }
  const Way way(packet.source, packet.destination, read.dest_qp,
                shape.operation == roce::Operation::read_response);
  if (shape.place != roce::Place::first && shape.place != roce::Place::middle) {
    next_.erase(way);
  } else if (next_.size() < kMost || next_.contains(way)) {
    next_[way] = roce::psn_add(read.psn, 1);
  }
}

// Of headers only the BTH, with a wrong ICRC, and the message where there is one: an audit says as much of
// it. A message of the CM is gone: as one of another kind, what its sender's application sent along would be
// numbers.
void RdmaRewriter::take_damaged(const link::Packet& packet, const rdma::roce::Packet& read) {
  namespace roce = rdma::roce;
  const Bytes all = packet.payload;
  ++damaged_;
  canvas_.clear(all);
  canvas_.keep(slice(all, 0, roce::Bth::size));
  const Bytes image = plan_.image_of(name_of(read), read.payload);
  if (begins_message(read, image) && !open_.interrupted_by(packet, read)) {
    canvas_.put(read.payload, image);
  }
}

void RdmaRewriter::take(const link::Packet& packet) {
  namespace roce = rdma::roce;
  roce::Packet read;
  const Bytes all = packet.payload;
  if (all.empty() || !roce::decode(all, packet.payload_length, read) || !has_partition(read)) {
    return;
  }
  const bool damaged = soundness_.damaged(packet);
  if (!damaged && packet.carrier == link::Carrier::roce2 && !soundness_.sound(packet) &&
      !plan_.queue_pairs().accounts_for(packet.source, packet.destination, all)) {
    return;
  }
  if (damaged) {
    take_damaged(packet, read);
  } else {
    fits(read) && !open_.interrupted_by(packet, read) ? take_sound(packet, read)
                                                      : canvas_.keep(slice(all, 0, roce::Bth::size));
    open_.add(packet, read);
  }
  clear_misplaced_icrc(packet);
  mend_icrc(packet);
}

void RdmaRewriter::take_sound(const link::Packet& packet, const rdma::roce::Packet& read) {
  namespace roce = rdma::roce;
  const Bytes all = packet.payload;
  canvas_.keep(slice(all, 0, std::min(roce::header_size(read.opcode), packet.payload_length)));
  // Also where the capture ends in the midst of them.
  const size_t size = roce::header_size(read.opcode) - roce::Bth::size;
  const Bytes headers = slice(all, roce::Bth::size, size);
  const uint8_t present = roce::shape(read.opcode).extensions;
  if ((present & roce::kDeth) != 0 && !roce::is_mad(read)) {
    canvas_.clear(slice(headers, 0, 4));  // the Q_Key, which admits to a queue pair
  }
  if ((present & roce::kAtomicEth) != 0) {
    canvas_.clear(slice(headers, 12, 16));  // operands
  }
  if ((present & roce::kAtomicAckEth) != 0) {
    canvas_.clear(slice(headers, 4, 8));  // behind the AETH: what was in memory
  }
  if ((present & roce::kAeth) != 0 && roce::shape(read.opcode).operation == roce::Operation::read_response) {
    canvas_.clear(slice(headers, 0, roce::Aeth::size));  // with one wrong bit of the opcode, data are here
  }
  if ((present & roce::kImmediate) != 0) {
    canvas_.clear(slice(headers, size - roce::ImmDt::size));
  }
  if (!read.payload.empty()) {
    roce::is_mad(read) ? canvas_.put(read.payload, sanitize_mad(read.payload, key_, addresses_))
                       : canvas_.put(read.payload, plan_.image_of(name_of(read), read.payload));
  }
}

// Where a length says more than the frame has, its ICRC stands where content would: it shows what the
// addresses were.
void RdmaRewriter::clear_misplaced_icrc(const link::Packet& packet) const {
  const Bytes all = packet.payload;
  if (canvas_.whole() && all.size() < packet.payload_length) {
    canvas_.clear(all.last(std::min<size_t>(all.size(), rdma::roce::kIcrcSize)));
  }
}

void RdmaRewriter::mend_icrc(const link::Packet& packet) {
  constexpr uint32_t kSize = rdma::roce::kIcrcSize;
  if (packet.payload_length >= kSize && packet.payload.size() >= packet.payload_length) {
    link::Packet written = packet;
    written.network = canvas_.after(packet.network);
    written.payload = canvas_.after(packet.payload);
    sanitize::mend_icrc(key_, packet, written,
                        canvas_.after(packet.payload).data() + packet.payload_length - kSize);
  }
}

}  // namespace steertag::sanitize
