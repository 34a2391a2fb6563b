#include "link/internet_checksum.h"

#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::link {

uint32_t ones_sum(Bytes bytes, uint32_t sum) {
  uint64_t all = sum;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    all += wire::big_endian<uint16_t>(bytes.data() + i);
  }
  if (bytes.size() % 2 != 0) {
    all += uint64_t{bytes.back()} << 8;
  }
  while (all > 0xFFFF) {
    all = (all & 0xFFFF) + (all >> 16);
  }
  return static_cast<uint32_t>(all);
}

uint32_t pseudo_sum(const IpHeader& ip, Bytes datagram) {
  const auto length = static_cast<uint32_t>(ip.payload.length);
  const uint32_t rest = (length >> 16) + (length & 0xFFFF) + ip.protocol;
  return ones_sum(ip.v6 ? slice(datagram, 8, 32) : slice(datagram, 12, 8), rest);
}

void write_checked(std::vector<uint8_t>& out, Ipv4Header header) {
  std::vector<uint8_t> written;
  header.checksum = 0;
  wire::write(written, header);
  header.checksum = static_cast<uint16_t>(0xFFFF - ones_sum(written));
  wire::write(out, header);
}

}  // namespace steertag::link
