#include "sanitize/soundness.h"

#include "link/internet_checksum.h"
#include "rdma/roce/icrc.h"

namespace steertag::sanitize {

bool damaged_header(Bytes datagram) {
  if (datagram.size() < link::Ipv4Header::size || datagram[0] >> 4 != 4) {
    return false;
  }
  const Bytes header = slice(datagram, 0, (datagram[0] & 15u) * 4);
  const bool none = datagram[10] == 0 && datagram[11] == 0;
  return link::ones_sum(header) != 0xFFFF && (!none || header.size() > link::Ipv4Header::size);
}

bool Soundness::damaged(const link::Packet& packet) {
  if (damaged_header(packet.network)) {
    return true;
  }
  const Way way(packet.carrier, packet.source, packet.destination);
  switch (const Sum sum = judge(packet); sum) {
    case Sum::unknown:
      return false;
    case Sum::wrong:
      return sound_.contains(way);
    case Sum::right:
    case Sum::left:
      if (auto& those = sum == Sum::right ? sound_ : leaving_; those.size() < kMost) {
        those.insert(way);
      }
      return false;
  }
  return false;
}

Soundness::Sum Soundness::judge(const link::Packet& packet) {
  if (packet.carrier == link::Carrier::tcp) {
    return judge_tcp(packet);
  }
  const auto carried = rdma::roce::stored_icrc(packet), right = rdma::roce::icrc(packet);
  return !carried || !right ? Sum::unknown : *carried == *right ? Sum::right : Sum::wrong;
}

Soundness::Sum Soundness::judge_tcp(const link::Packet& segment) {
  link::IpHeader ip;
  if (read_ip({segment.network, segment.network.size()}, ip) != link::Progress::ok ||
      ip.payload.captured.size() < ip.payload.length || segment.tcp.checksum == 0) {
    return Sum::unknown;
  }
  const uint32_t pseudo = link::pseudo_sum(ip, segment.network);
  // An adapter that was to complete it finds the sum of the pseudo-header; where it was to cut up the
  // segment, too, maybe without the length.
  const uint32_t carried = segment.tcp.checksum;
  const bool left = carried == pseudo || carried == link::without_length(pseudo, ip.payload.length);
  const bool right = link::ones_sum(ip.payload.captured, pseudo) == 0xFFFF;
  return left ? (right ? Sum::unknown : Sum::left) : right ? Sum::right : Sum::wrong;
}

}  // namespace steertag::sanitize
