#include "sanitize/extension_headers.h"

#include "link/headers.h"

namespace steertag::sanitize {
namespace {

struct Extension {
  size_t kept = 0;              // bytes that say what it is, and how long
  size_t length = 0;            // 0: it is none
  bool content_behind = false;  // of a fragment that is not the first one
};

// Where a header of this protocol is, in 8 bytes or more. Its options become padding.
Extension extension(uint8_t protocol, Bytes header) {
  using namespace link::ip_protocol;
  const size_t length = (header[1] + size_t{1}) * 8;
  switch (protocol) {
    case kFragment:
      return {8, 8, header[2] != 0 || header[3] >> 3 != 0};
    case kAuthentication:
      return {2, (header[1] + size_t{2}) * 4};
    case kRouting:
      return {4, length};
    case kHopByHop:
    case kDestination:
    case kMobility:
      return {2, length};
    default:
      return {};
  }
}

// That an IP datagram carries such a thing is known here: a row of headers that leads to it was one.
bool known_content(uint8_t protocol) {
  using namespace link::ip_protocol;
  constexpr uint8_t kEsp = 50, kSctp = 132;
  const auto is = [protocol](auto... known) { return ((protocol == known) || ...); };
  return is(kIcmp, kIpv4, kTcp, kUdp, kIbTransport, kIpv6, kGre, kEsp, kIcmpV6, kNoNext, kSctp, kMpls);
}

}  // namespace

ExtensionFronts extension_fronts(Bytes datagram, size_t length, uint8_t protocol, size_t begin) {
  constexpr size_t kMost = 16;
  ExtensionFronts row;
  for (size_t at = begin; row.size() < kMost && at + 8 <= datagram.size();) {
    const Bytes header = datagram.subspan(at);
    const Extension one = extension(protocol, header);
    if ((one.length == 0 && !known_content(protocol)) || at + one.length > length) {
      return {};
    }
    if (one.length == 0) {
      break;
    }
    row.push_back(slice(header, 0, one.kept));
    protocol = header[0];
    at += one.length;
    if (one.content_behind) {
      break;
    }
  }
  return row;
}

}  // namespace steertag::sanitize
