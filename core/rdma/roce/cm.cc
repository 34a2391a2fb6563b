#include "rdma/roce/cm.h"

#include <type_traits>

#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::rdma::roce {

namespace {

constexpr uint8_t kMadBaseVersion = 1;

struct MadHeader {
  uint8_t base_version = kMadBaseVersion;
  uint8_t management_class = kCmManagementClass;
  uint8_t class_version = 0;
  uint8_t method = 0;
  uint16_t status = 0;
  uint16_t class_specific = 0;
  uint64_t transaction_id = 0;
  CmAttribute attribute{};
  uint16_t reserved = 0;
  uint32_t attribute_modifier = 0;

  static void layout(auto& w, auto& s) {
    w("base_version", s.base_version);
    w.hex("management_class", s.management_class);
    w("class_version", s.class_version);
    w.hex("method", s.method);
    w.hex("status", s.status);
    w.hex("class_specific", s.class_specific);
    w.hex("transaction_id", s.transaction_id);
    w("attribute", s.attribute);
    w.hex("reserved", s.reserved);
    w.hex("attribute_modifier", s.attribute_modifier);
  }
};

// Reserved bytes: skipped when reading, zeros when writing.
template <size_t N>
void reserved(auto& w) {
  std::array<uint8_t, N> zeros{};
  w.array("reserved", zeros);
}

// A field that some messages carry in two bytes and this one in one.
void one_byte(auto& w, const char* field, auto& value) {
  auto byte = static_cast<uint8_t>(value);
  w(field, byte);
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    value = byte;
  }
}

// Remembers that everything up to here was captured.
void mark(auto& w, auto& flag) {
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    flag = !w.stopped();
  }
}

void req_layout(auto& w, auto& m) {
  w.hex("local_comm_id", m.local_comm_id);
  reserved<4>(w);
  w.hex("service_id", m.service_id);
  w.hex("local_ca_guid", m.local_ca_guid);
  reserved<4>(w);
  w.hex("local_q_key", m.local_q_key);
  w.u24("local_qpn", m.local_qpn);
  w("responder_resources", m.responder_resources);
  w.u24("local_eecn", m.local_eecn);
  w("initiator_depth", m.initiator_depth);
  mark(w, m.has_depths);
  w.u24("remote_eecn", m.remote_eecn);
  w.hex("transport", m.req_transport);
  w.u24("starting_psn", m.starting_psn);
  mark(w, m.has_starting_psn);
  w.hex("retry", m.req_retry);
  w.hex("p_key", m.p_key);
  w.hex("path_mtu", m.req_mtu);
  w.hex("cm_retries", m.req_cm_retries);
  w("primary_local_lid", m.primary_local_lid);
  w("primary_remote_lid", m.primary_remote_lid);
  w.array("primary_local_gid", m.primary_local_gid);
  w.array("primary_remote_gid", m.primary_remote_gid);
  w.array("primary_path", m.primary_path);
  w.array("alternate_path", m.alternate_path);
}

void rep_layout(auto& w, auto& m) {
  w.hex("local_q_key", m.local_q_key);
  w.u24("local_qpn", m.local_qpn);
  reserved<1>(w);
  w.u24("local_eecn", m.local_eecn);
  reserved<1>(w);
  w.u24("starting_psn", m.starting_psn);
  mark(w, m.has_starting_psn);
  reserved<1>(w);
  w("responder_resources", m.responder_resources);
  w("initiator_depth", m.initiator_depth);
  mark(w, m.has_depths);
  w.hex("delay", m.rep_delay);
  w.hex("retry", m.rep_retry);
  w.hex("local_ca_guid", m.local_ca_guid);
}

void rej_layout(auto& w, auto& m) {
  w.hex("rejected_message", m.rejected_message);
  w.hex("reason_length", m.reason_length);
  w("reject_reason", m.reject_reason);
  w.array("additional_information", m.additional_information);
}

void lap_layout(auto& w, auto& m) {
  reserved<4>(w);
  w.u24("remote_qpn", m.remote_qpn);
  w.hex("retry", m.req_retry);
  reserved<4>(w);
  w.array("alternate_path", m.alternate_path);
}

// The status of an APR is one byte behind the length.
void apr_layout(auto& w, auto& m) {
  w("information_length", m.reason_length);
  one_byte(w, "ap_status", m.reject_reason);
  reserved<2>(w);
  w.array("additional_information", m.additional_information);
}

void sidr_req_layout(auto& w, auto& m) {
  w.hex("request_id", m.local_comm_id);
  w.hex("p_key", m.p_key);
  reserved<2>(w);
  w.hex("service_id", m.service_id);
}

void sidr_rep_layout(auto& w, auto& m) {
  w.hex("request_id", m.local_comm_id);
  one_byte(w, "status", m.reject_reason);
  w("information_length", m.reason_length);
  reserved<2>(w);
  w.u24("local_qpn", m.local_qpn);
  reserved<1>(w);
  w.hex("service_id", m.service_id);
  w.hex("local_q_key", m.local_q_key);
  w.array("additional_information", m.additional_information);
}

void comm_ids(auto& w, auto& m) {
  w.hex("local_comm_id", m.local_comm_id);
  w.hex("remote_comm_id", m.remote_comm_id);
}

// Everything between the MAD's header and the private data, which in every
// message runs to the end of the MAD (IBTA vol. 1, chapter 12).
void body_layout(auto& w, auto& m) {
  switch (m.attribute) {
    case CmAttribute::req:
      return req_layout(w, m);
    case CmAttribute::sidr_req:
      return sidr_req_layout(w, m);
    case CmAttribute::sidr_rep:
      return sidr_rep_layout(w, m);
    case CmAttribute::rep:
      comm_ids(w, m);
      return rep_layout(w, m);
    case CmAttribute::rej:
      comm_ids(w, m);
      return rej_layout(w, m);
    case CmAttribute::mra:
      comm_ids(w, m);
      w.hex("message", m.rejected_message);
      w.hex("service_timeout", m.reason_length);
      return;
    case CmAttribute::dreq:
      comm_ids(w, m);
      w.u24("remote_qpn", m.remote_qpn);
      return reserved<1>(w);
    case CmAttribute::lap:
      comm_ids(w, m);
      return lap_layout(w, m);
    case CmAttribute::apr:
      comm_ids(w, m);
      return apr_layout(w, m);
    case CmAttribute::rtu:
    case CmAttribute::drep:
      return comm_ids(w, m);
  }
}

// IBTA vol. 1, Annex A11.
bool names_ip_header(const CmMessage& m) {
  return (m.attribute == CmAttribute::req || m.attribute == CmAttribute::sidr_req) && m.is_ip_service();
}

void split_private_data(wire::Reader& reader, CmMessage& m) {
  const uint32_t room = reader.remaining();
  m.private_data = reader.rest();
  m.private_data_whole = m.private_data.size() == room;
  IpCmHeader ip;
  if (names_ip_header(m) && !wire::read(m.private_data, ip) && ip.version == 0 &&
      (ip.ip_version >> 4 == 4 || ip.ip_version >> 4 == 6)) {
    m.ip = ip;
    m.private_data = slice(m.private_data, IpCmHeader::size);
  }
}

}  // namespace

bool decode(Bytes mad, CmMessage& into) {
  into = CmMessage{};
  wire::Reader reader(slice(mad, 0, kMadSize), kMadSize, wire::Limit::capture);
  MadHeader header;
  MadHeader::layout(reader, header);
  if (reader.stopped() || header.base_version != kMadBaseVersion ||
      header.management_class != kCmManagementClass) {
    return false;
  }
  into.class_version = header.class_version;
  into.method = header.method;
  into.status = header.status;
  into.transaction_id = header.transaction_id;
  into.attribute = header.attribute;
  into.attribute_modifier = header.attribute_modifier;

  body_layout(reader, into);
  into.fields_cut = reader.stopped();
  if (!into.fields_cut) {
    split_private_data(reader, into);
  }
  return true;
}

bool is_mad(const Packet& packet) {
  return packet.opcode == Opcode::ud_send_only && packet.dest_qp == kGeneralServicesQp && packet.deth &&
         packet.deth->q_key == kGeneralServicesQKey;
}

bool decode(const Packet& packet, CmMessage& into) {
  return is_mad(packet) && decode(packet.payload, into);
}

void encode(const CmMessage& message, std::vector<uint8_t>& out) {
  const size_t end = out.size() + kMadSize;
  const MadHeader header{.class_version = message.class_version,
                         .method = message.method,
                         .status = message.status,
                         .transaction_id = message.transaction_id,
                         .attribute = message.attribute,
                         .attribute_modifier = message.attribute_modifier};
  wire::Writer writer(out);
  MadHeader::layout(writer, header);
  body_layout(writer, message);
  if (message.ip && names_ip_header(message)) {
    IpCmHeader::layout(writer, *message.ip);
  }
  const Bytes data = slice(message.private_data, 0, end - out.size());
  out.insert(out.end(), data.begin(), data.end());
  out.resize(end);
}

}  // namespace steertag::rdma::roce
