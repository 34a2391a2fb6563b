// mend(): makes the checksums of a frame right that a test has changed, as a sender would have made them.
#pragma once

#include <vector>

#include "link/decoder.h"
#include "link/internet_checksum.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"
#include "support/trace.h"

namespace steertag::support {

inline Frame frame_of(const Trace& trace, size_t index) {
  const TraceFrame& frame = trace.frames[index];
  return {frame.at, trace.link_type, frame.bytes, frame.original_length};
}

// The checksum of TCP, or the ICRC, where all that it covers is there.
inline void mend(Trace& trace, size_t index) {
  std::vector<uint8_t>& bytes = trace.frames[index].bytes;
  link::Decoder decoder;
  const link::Packet packet = decoder.decode(frame_of(trace, index));
  if (decoder.assembled() || packet.payload.empty() || packet.payload.size() < packet.payload_length) {
    return;
  }
  const auto put = [&](const uint8_t* at, uint32_t value, int count) {  // the least significant byte first
    for (uint8_t* field = bytes.data() + (at - bytes.data()); count > 0; --count, value >>= 8) {
      *field++ = static_cast<uint8_t>(value);
    }
  };
  if (packet.carrier != link::Carrier::tcp) {
    if (const auto icrc = rdma::roce::icrc(packet)) {
      put(packet.payload.data() + packet.payload_length - rdma::roce::kIcrcSize, *icrc, 4);
    }
    return;
  }
  link::IpHeader ip;
  if (read_ip({packet.network, packet.network.size()}, ip) == link::Progress::ok) {
    constexpr size_t kAt = 16;
    const uint8_t* const field = ip.payload.captured.data() + kAt;
    put(field, 0, 2);
    const uint32_t before = link::ones_sum(ip.payload.captured, link::pseudo_sum(ip, packet.network));
    const uint32_t sum = before == 0xFFFF ? before : 0xFFFF - before;  // 0 would say that there is none
    put(field, sum << 8 | sum >> 8, 2);
  }
}

}  // namespace steertag::support
