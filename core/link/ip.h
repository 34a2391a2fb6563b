// read_ip(): reads IPv4 with options and IPv6 with extension headers, up to the
// transport header or to a fragment's content. It does not look at the transport,
// and does not put fragments together.
#pragma once

#include <cstdint>
#include <optional>

#include "base/address.h"
#include "link/packet.h"
#include "link/stretch.h"

namespace steertag::link {

struct IpHeader {
  struct Fragment {
    uint32_t id = 0;
    uint32_t offset = 0;  // bytes from the start of the datagram's content
    bool more = false;    // another fragment follows
    // The headers that are repeated in front of every fragment: their length in bytes,
    // and where in them the byte is that names the content's protocol.
    uint32_t header_length = 0;
    uint32_t protocol_at = 0;
  };

  base::Address source, destination;
  bool v6 = false;
  Routed routed;
  uint8_t protocol = 0;              // of `payload`; of the whole content where it is a fragment
  Stretch datagram;                  // from the IP header on, as long as IP says
  Stretch payload;                   // what follows the headers
  std::optional<Fragment> fragment;  // not set for a whole datagram
};

// Reads the headers at the front of `datagram` (whose end may be link padding)
// and fills `into` anew.
Progress read_ip(Stretch datagram, IpHeader& into);

}  // namespace steertag::link
