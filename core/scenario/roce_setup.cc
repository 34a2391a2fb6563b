// Connection management of a pair of QPs (IBTA vol. 1, chapter 12): REQ, REP, RTU
// as the RDMA IP CM Service of Annex A11 sends them, REJ, DREQ and DREP; UD Sends
// on QP1.
#include "scenario/network.h"
#include "scenario/roce_transport.h"

namespace steertag::scenario {

namespace roce = rdma::roce;
using roce::CmAttribute;
using roce::CmMessage;

namespace {

constexpr uint64_t kGuid = 0x0200000000000000;  // of the client's adapter; the server's is one more
constexpr uint16_t kConsumerReject = 28;

uint8_t depth(const std::optional<uint32_t>& depth) {
  return static_cast<uint8_t>(std::min<uint32_t>(depth.value_or(0), 255));
}

}  // namespace

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
  message.set_path_mtu(spec_.mtu);
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

  CmMessage rep;
  rep.attribute = spec_.rejected ? CmAttribute::rej : CmAttribute::rep;
  rep.transaction_id = req.transaction_id;
  rep.local_comm_id = comm_id(passive);
  rep.remote_comm_id = req.local_comm_id;
  rep.local_ca_guid = kGuid + peer;
  rep.local_qpn = spec_.qpn[peer];
  rep.responder_resources = rep.initiator_depth = depth(spec_.depth[peer]);
  rep.starting_psn = spec_.psn[own];
  rep.rep_delay = 15 << 3;
  rep.rep_retry = 7 << 5;
  rep.reject_reason = kConsumerReject;
  const std::vector<uint8_t> answered = private_data(spec_.private_data[peer]);
  rep.private_data = answered;
  management(passive, rep);

  if (!spec_.rejected) {
    CmMessage rtu;
    rtu.attribute = CmAttribute::rtu;
    rtu.transaction_id = req.transaction_id;
    rtu.local_comm_id = req.local_comm_id;
    rtu.remote_comm_id = rep.local_comm_id;
    management(active, rtu);
  }
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

}  // namespace steertag::scenario
