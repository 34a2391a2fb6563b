// The network below a Transport: addresses of a connection's ends, and
// the headers of link/headers.h with their lengths and checksums, written around a
// Datagram. The ICRC is added here, since it covers them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/address.h"
#include "scenario/script.h"
#include "scenario/transport.h"

namespace steertag::scenario {

struct NetworkEnds {
  base::Address source, destination;
};

// As seen by a packet that `from` sends.
NetworkEnds network_ends(const ConnectionSpec& spec, Side from, bool ipv6);

class Framer {
 public:
  Framer(Fabric fabric, bool ipv6, std::optional<uint16_t> vlan)
      : fabric_(fabric), ipv6_(ipv6), vlan_(vlan) {}

  // Empty where an ICMP error has nothing to quote.
  std::vector<uint8_t> frame(const ConnectionSpec& spec, const Datagram& datagram);

 private:
  std::vector<uint8_t> pause_frame(const ConnectionSpec& spec, const Datagram& datagram) const;
  std::vector<uint8_t> icmp_frame(const ConnectionSpec& spec, const Datagram& datagram);
  void write_ip(std::vector<uint8_t>& out, const ConnectionSpec& spec, const Datagram& datagram,
                const NetworkEnds& ends, uint8_t protocol, size_t content);
  // Of the packet at `packet` behind the network header at `network`.
  void add_icrc(std::vector<uint8_t>& out, const ConnectionSpec& spec, const Datagram& datagram,
                size_t network, size_t packet) const;

  Fabric fabric_;
  bool ipv6_;
  std::optional<uint16_t> vlan_;
  // From the IP header on, by connection and sender: what an ICMP error quotes.
  std::map<std::pair<uint32_t, Side>, std::vector<uint8_t>> latest_;
  std::array<uint16_t, 2> identification_{0x100, 0x900};  // IPv4, by Side
};

}  // namespace steertag::scenario
