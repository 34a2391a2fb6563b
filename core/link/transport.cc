#include "link/transport.h"

namespace steertag::link {

Progress read_udp(const Stretch& datagram, Packet& into, uint16_t& destination_port) {
  UdpHeader header;
  if (const Progress progress = read_header(datagram, header); progress != Progress::ok) {
    return progress;
  }
  destination_port = header.destination_port;
  into.udp_source_port = header.source_port;
  if (header.length < UdpHeader::size || header.length > datagram.length) {
    return Progress::malformed;
  }
  const Stretch data = datagram.first(header.length).after(UdpHeader::size);
  into.payload = data.captured;
  into.payload_length = static_cast<uint32_t>(data.length);
  return Progress::ok;
}

TcpFields fields(const TcpHeader& header) {
  return {.source_port = header.source_port,
          .destination_port = header.destination_port,
          .sequence = header.sequence,
          .acknowledgment = header.acknowledgment,
          .syn = (header.flags & 0x02) != 0,
          .ack = (header.flags & 0x10) != 0,
          .fin = (header.flags & 0x01) != 0,
          .rst = (header.flags & 0x04) != 0,
          .window = header.window,
          .checksum = header.checksum,
          .options = {},
          .digest = {}};
}

Progress read_tcp(const Stretch& segment, Packet& into) {
  TcpHeader header;
  if (const Progress progress = read_header(segment, header); progress != Progress::ok) {
    return progress;
  }
  if (header.header_length() < TcpHeader::size || header.header_length() > segment.length) {
    return Progress::malformed;
  }
  into.carrier = Carrier::tcp;
  into.tcp = fields(header);
  into.tcp.options = slice(segment.captured, TcpHeader::size, header.header_length() - TcpHeader::size);
  const Stretch data = segment.after(header.header_length());
  into.payload = data.captured;
  into.payload_length = static_cast<uint32_t>(data.length);
  return Progress::ok;
}

}  // namespace steertag::link
