#include "link/others.h"

namespace steertag::link {
namespace {

constexpr uint16_t kNfs = 2049, kSmb = 445, kNvme = 4420, kNvmeDiscovery = 8009;

uint32_t word(Bytes bytes, size_t at) {
  return at + 4 > bytes.size() ? 0
                               : uint32_t{bytes[at]} << 24 | uint32_t{bytes[at + 1]} << 16 |
                                     uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

// A record that begins here (RFC 5531 §11) and holds a Call of NFS: mark, XID, CALL, RPC version two,
// program.
constexpr size_t kCallWords = 20;  // bytes
bool nfs_call(Bytes data) {
  return data.size() >= kCallWords && (data[0] & 0x80) != 0 && word(data, 8) == 0 && word(data, 12) == 2 &&
         word(data, 16) == 100003;
}

// A BTH (IBTA vol. 1 §9.2): an opcode of RC, transport version zero, the default partition, reserved bits
// that are zero; all of it a multiple of four bytes.
constexpr size_t kBth = 12;  // bytes
bool looks_like_roce(Bytes payload) {
  return payload.size() >= 16 && payload.size() % 4 == 0 && payload[0] <= 0x17 && (payload[1] & 0x0F) == 0 &&
         payload[2] == 0xFF && payload[3] == 0xFF && (payload[4] & 0x3F) == 0 && (payload[8] & 0x7F) == 0;
}

}  // namespace

size_t Others::words_of_segment(Bytes payload) {
  return nfs_call(payload) ? kCallWords : 0;
}
size_t Others::words_of_datagram(Bytes payload) {
  return looks_like_roce(payload) ? kBth : 0;
}

void Others::note_segment(const Packet& segment) {
  if (segment.payload_length == 0) {
    return;
  }
  ++tcp;
  const uint16_t from = segment.tcp.source_port, to = segment.tcp.destination_port;
  const auto either = [&](uint16_t port) { return from == port || to == port; };
  if (either(kNfs) || nfs_call(segment.payload) || (nfs_port != 0 && either(nfs_port))) {
    ++nfs_tcp;
    nfs_port = nfs_port != 0 ? nfs_port : either(kNfs) ? kNfs : to;
  } else if (either(kNvme) || either(kNvmeDiscovery)) {
    ++nvme_tcp;
  } else if (either(kSmb)) {
    ++smb;
  }
}

void Others::note_datagram(uint16_t destination_port, Bytes payload) {
  if (looks_like_roce(payload)) {
    ++roce;
    roce_port = destination_port;
  }
}

}  // namespace steertag::link
