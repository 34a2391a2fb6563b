#include "sanitize/setup.h"

#include <algorithm>

#include "rdma/iwarp/mpa.h"
#include "rdma/roce/cm.h"
#include "rpcrdma/private_data.h"
#include "wire/reader.h"

namespace steertag::sanitize {

namespace roce = rdma::roce;

namespace {

// Of a path's end: never one of a group, but that of no LID at all (IBTA vol. 1 §4.1.1).
void map_end(std::span<uint8_t> lid, AddressMap& addresses) {
  const bool group = lid[0] >= 0xC0 && (lid[0] != 0xFF || lid[1] != 0xFF);
  group ? std::fill(lid.begin(), lid.end(), uint8_t{0}) : addresses.lid(lid);
}

// A LID, another, a GID, another; then numbers, which go (IBTA vol. 1 §12.6.5, of a REQ's alternate path).
void map_path(std::span<uint8_t> path, AddressMap& addresses) {
  map_end(path.subspan(0, 2), addresses);
  map_end(path.subspan(2, 2), addresses);
  addresses.ipv6(path.subspan(4, 16));
  addresses.ipv6(path.subspan(20, 16));
  std::fill(path.begin() + 36, path.end(), uint8_t{0});
}

void map_lid(uint16_t& lid, AddressMap& addresses) {
  std::array<uint8_t, 2> octets = {static_cast<uint8_t>(lid >> 8), static_cast<uint8_t>(lid)};
  map_end(octets, addresses);
  lid = static_cast<uint16_t>(octets[0] << 8 | octets[1]);
}

void hide(uint64_t& number, const Key& key) {
  if (number == 0) {
    return;
  }
  std::array<uint8_t, 8> octets{};
  for (size_t i = 0; i < octets.size(); ++i) {
    octets[i] = static_cast<uint8_t>(number >> (8 * i));
  }
  number = key.image(octets);
}

void map_ip(roce::IpCmHeader& ip, AddressMap& addresses) {
  for (std::array<uint8_t, 16>* octets : {&ip.source_octets, &ip.destination_octets}) {
    if (ip.ip_version >> 4 == 4) {
      std::fill_n(octets->begin(), 12, uint8_t{0});
      addresses.ipv4(std::span(*octets).subspan(12));
    } else {
      addresses.ipv6(*octets);
    }
  }
}

// The eight bytes of RFC 8797, as far as they were captured; of a version that is not known, what is in front
// of its flags. Anything else is some application's, and becomes zeros: its length is that of the whole, and
// stays.
std::vector<uint8_t> private_data(Bytes data) {
  constexpr size_t kLength = 8, kVersion = 4;
  std::vector<uint8_t> kept(data.size());
  const rpcrdma::PrivateData found = rpcrdma::find_private_data(data);
  if (found.present || found.cut) {
    Bytes block = slice(data, found.offset, kLength);
    if (block.size() > kVersion && block[kVersion] != 1) {
      block = slice(block, 0, kVersion + 1);
    }
    std::copy(block.begin(), block.end(), kept.begin() + found.offset);
  }
  return kept;
}

}  // namespace

std::vector<uint8_t> sanitize_mad(Bytes mad, const Key& key, AddressMap& addresses) {
  std::vector<uint8_t> out;
  roce::CmMessage message;
  if (roce::decode(mad, message) && !message.reserved_used) {
    map_lid(message.primary_local_lid, addresses);
    map_lid(message.primary_remote_lid, addresses);
    addresses.ipv6(message.primary_local_gid);
    addresses.ipv6(message.primary_remote_gid);
    map_path(message.alternate_path, addresses);
    message.additional_information = {};
    message.local_q_key = 0;  // of datagrams
    hide(message.local_ca_guid, key);
    if (!message.is_ip_service()) {  // of others it may be the GUID of whoever serves it
      hide(message.service_id, key);
    }
    if (message.ip) {
      map_ip(*message.ip, addresses);
    }
    const std::vector<uint8_t> kept = private_data(message.private_data);
    message.private_data = kept;
    roce::encode(message, out);
  }
  out.resize(mad.size());
  return out;
}

std::vector<uint8_t> setup_frame(Bytes raw) {
  using rdma::iwarp::EnhancedWord;
  using rdma::iwarp::SetupFrame;
  SetupFrame frame;
  wire::read(raw, frame);
  const size_t fields = SetupFrame::kSize + (frame.enhanced() ? EnhancedWord::kSize : 0);
  const Bytes front = slice(raw, 0, fields);
  std::vector<uint8_t> kept(front.begin(), front.end());
  for (size_t i = 0; i < std::min(kept.size(), frame.key.size()); ++i) {
    const bool right = kept[i] == rdma::iwarp::kRequestKey[i] || kept[i] == rdma::iwarp::kReplyKey[i];
    kept[i] = right ? kept[i] : 'x';  // a wrong key stays wrong
  }
  const std::vector<uint8_t> rest = private_data(slice(raw, front.size()));
  kept.insert(kept.end(), rest.begin(), rest.end());
  return kept;
}

}  // namespace steertag::sanitize
