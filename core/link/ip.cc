#include "link/ip.h"

#include "link/headers.h"

namespace steertag::link {
namespace {

// More extension headers than RFC 8200 §4.1 recommends; a longer chain is noise.
constexpr int kMaxExtensions = 16;

// The common start of every extension header.
struct ExtensionStart {
  static constexpr uint32_t size = 2;  // bytes
  uint8_t next_header = 0;
  uint8_t length = 0;  // in a unit of its own, see extension_length
  static void layout(auto& w, auto& s) {
    w("next_header", s.next_header);
    w("length", s.length);
  }
};

// Bytes of an extension header that the walk can step over; 0 for anything else.
uint32_t extension_length(uint8_t protocol, uint8_t length) {
  switch (protocol) {
    case ip_protocol::kHopByHop:
    case ip_protocol::kRouting:
    case ip_protocol::kDestination:
    case ip_protocol::kMobility:
      return (length + 1u) * 8;
    case ip_protocol::kAuthentication:
      return (length + 2u) * 4;  // RFC 4302 §2.2
    default:
      return 0;
  }
}

// Where a walk along the headers stands.
struct Walk {
  uint32_t at = 0;           // offset of the next header
  uint32_t protocol_at = 0;  // offset of the byte that names it
  uint8_t protocol = 0;
};

// Sets into.fragment where the datagram is a piece of a larger one.
Progress read_fragment(Walk& walk, IpHeader& into) {
  FragmentHeader header;
  const Stretch rest = into.datagram.after(walk.at);
  if (const Progress progress = read_header(rest, header); progress != Progress::ok) {
    return progress;
  }
  const uint32_t offset = header.offset_and_more & 0xFFF8u;
  const bool more = (header.offset_and_more & 1) != 0;
  if (offset != 0 || more) {  // otherwise an atomic fragment, RFC 6946: whole
    into.fragment = IpHeader::Fragment{header.id, offset, more, walk.at, walk.protocol_at};
  }
  walk = Walk{walk.at + FragmentHeader::size, walk.at, header.next_header};
  return Progress::ok;
}

// Steps over extension headers until a transport protocol or a fragment's content.
Progress walk_extensions(Walk walk, IpHeader& into) {
  for (int count = 0; count < kMaxExtensions; ++count) {
    ExtensionStart start;
    if (walk.protocol == ip_protocol::kFragment) {
      if (const Progress progress = read_fragment(walk, into); progress != Progress::ok) {
        return progress;
      }
    } else if (extension_length(walk.protocol, 0) != 0) {
      const Stretch rest = into.datagram.after(walk.at);
      if (const Progress progress = read_header(rest, start); progress != Progress::ok) {
        return progress;
      }
      const uint32_t length = extension_length(walk.protocol, start.length);
      if (!rest.holds(length)) {
        return missing(rest, length);
      }
      walk = Walk{walk.at + length, walk.at, start.next_header};
    } else {
      into.protocol = walk.protocol;
      into.payload = into.datagram.after(walk.at);
      return walk.protocol == ip_protocol::kNoNext ? Progress::other : Progress::ok;
    }
    if (into.fragment) {
      into.protocol = walk.protocol;
      into.payload = into.datagram.after(walk.at);
      return Progress::ok;
    }
  }
  return Progress::malformed;
}

Progress read_ipv4(Stretch stretch, IpHeader& into) {
  Ipv4Header header;
  if (const Progress progress = read_header(stretch, header); progress != Progress::ok) {
    return progress;
  }
  const uint32_t header_length = header.header_length();
  const bool fragment = header.more_fragments() || header.fragment_offset() != 0;
  // A sender's capture of a segment that the adapter will cut up has no total
  // length yet: then it is as long as the frame.
  const bool unknown_length = header.total_length == 0 && !fragment;
  const uint64_t total = unknown_length ? stretch.length : header.total_length;
  if (header_length < Ipv4Header::size || total < header_length) {
    return Progress::malformed;
  }
  if (!stretch.holds(header_length)) {
    return missing(stretch, header_length);
  }
  into.source = base::Address::ipv4(header.source);
  into.destination = base::Address::ipv4(header.destination);
  into.routed = Routed{header.time_to_live, header.type_of_service, header.id};
  into.datagram = stretch.first(total);
  const Walk walk{header_length, 9, header.protocol};
  if (!fragment && header.protocol == ip_protocol::kAuthentication) {
    return walk_extensions(walk, into);
  }
  into.protocol = header.protocol;
  into.payload = into.datagram.after(header_length);
  if (fragment) {
    into.fragment = IpHeader::Fragment{header.id, header.fragment_offset(), header.more_fragments(),
                                       header_length, walk.protocol_at};
  }
  return Progress::ok;
}

Progress read_ipv6(Stretch stretch, IpHeader& into) {
  Ipv6Header header;
  if (const Progress progress = read_header(stretch, header); progress != Progress::ok) {
    return progress;
  }
  into.v6 = true;
  into.source = base::Address::ipv6(header.source);
  into.destination = base::Address::ipv6(header.destination);
  into.routed = Routed{header.hop_limit, static_cast<uint8_t>(header.version_class_flow >> 20), 0};
  // Zero: a jumbogram, or a segment that the adapter will cut up.
  into.datagram = header.payload_length == 0
                      ? stretch
                      : stretch.first(uint64_t{Ipv6Header::size} + header.payload_length);
  return walk_extensions(Walk{Ipv6Header::size, 6, header.next_header}, into);
}

}  // namespace

Progress read_ip(Stretch datagram, IpHeader& into) {
  into = IpHeader{};
  if (!datagram.holds(1)) {
    return missing(datagram, 1);
  }
  switch (datagram.captured[0] >> 4) {
    case 4:
      return read_ipv4(datagram, into);
    case 6:
      return read_ipv6(datagram, into);
    default:
      return Progress::malformed;
  }
}

}  // namespace steertag::link
