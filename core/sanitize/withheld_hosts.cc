#include "sanitize/withheld_hosts.h"

#include <algorithm>

#include "link/headers.h"
#include "sanitize/checksum.h"

namespace steertag::sanitize {
namespace {

constexpr uint8_t kExperiment = 253;  // RFC 3692: only who uses it knows what is in it

}  // namespace

bool WithheldHosts::withhold(uint64_t frame, const base::Address& source, const base::Address& destination) {
  const Hosts hosts = std::minmax(source, destination);
  if (cuts_.contains(frame) && withheld_.insert(hosts).second) {
    if (const auto damaged = damaged_at_.find(hosts); damaged != damaged_at_.end()) {
      earlier_cuts_.insert(damaged->second);
    }
  }
  const bool does = withheld_.contains(hosts);
  packets_ += does ? 1 : 0;
  return does;
}

void WithheldHosts::lose(uint64_t frame, const Canvas& canvas, const Key& key, const link::IpHeader& ip) {
  withhold(frame, ip.source, ip.destination);
  damaged_at_[std::minmax(ip.source, ip.destination)] = frame;
  sanitize::withhold(canvas, key, ip);
}

void withhold(const Canvas& canvas, const Key& key, const link::IpHeader& ip) {
  const Bytes datagram = ip.datagram.captured;
  const size_t fixed = ip.v6 ? link::Ipv6Header::size : datagram.size() - ip.payload.captured.size();
  const std::span<uint8_t> written = canvas.after(datagram);
  std::fill(written.begin() + static_cast<ptrdiff_t>(fixed), written.end(), uint8_t{0});
  written[ip.v6 ? 6 : 9] = kExperiment;
  if (!ip.v6) {
    mend(key, datagram.first(fixed), written.first(fixed), {.at = 10});
  }
}

void withhold_grh(const Canvas& canvas, Bytes grh) {
  canvas.after(grh)[6] = kExperiment;
}

// What is behind it is said to be raw.
void withhold_lrh(const Canvas& canvas, Bytes lrh) {
  canvas.after(lrh)[1] &= 0xFC;
}

}  // namespace steertag::sanitize
