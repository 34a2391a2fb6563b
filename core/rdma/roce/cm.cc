#include "rdma/roce/cm.h"

#include "rdma/roce/cm_layout.h"
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

  cm_layout::body_layout(reader, into);
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
  cm_layout::body_layout(writer, message);
  if (message.ip && names_ip_header(message)) {
    IpCmHeader::layout(writer, *message.ip);
  }
  const Bytes data = slice(message.private_data, 0, end - out.size());
  out.insert(out.end(), data.begin(), data.end());
  out.resize(end);
}

}  // namespace steertag::rdma::roce
