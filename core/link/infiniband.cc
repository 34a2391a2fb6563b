#include "link/headers.h"
#include "link/transport.h"

namespace steertag::link {
namespace {

constexpr uint8_t kBthFollows = 2;
constexpr uint8_t kGrhFollows = 3;

// Addresses from the GRH, payload as long as the GRH says. `inside`: what the
// GRH and its payload occupy.
Progress read_grh(const Stretch& from_grh, Packet& into, Stretch& inside) {
  Grh header;
  if (const Progress progress = read_header(from_grh, header); progress != Progress::ok) {
    return progress;
  }
  if (header.version() != 6) {
    return Progress::malformed;
  }
  if (header.next_header != ip_protocol::kIbTransport) {
    return Progress::other;
  }
  into.source = base::Address::gid(header.source);
  into.destination = base::Address::gid(header.destination);
  into.routed = Routed{header.hop_limit, static_cast<uint8_t>(header.version_class_flow >> 20), 0};
  inside = from_grh.first(uint64_t{Grh::size} + header.payload_length);
  const Stretch data = inside.after(Grh::size);
  into.payload = data.captured;
  into.payload_length = static_cast<uint32_t>(data.length);
  return Progress::ok;
}

}  // namespace

Progress read_roce1(const Stretch& from_grh, Packet& into) {
  Stretch inside;
  if (const Progress progress = read_grh(from_grh, into, inside); progress != Progress::ok) {
    return progress;
  }
  into.carrier = Carrier::roce1;
  into.network = inside.captured;
  return Progress::ok;
}

Progress read_infiniband(const Stretch& from_lrh, Packet& into) {
  Lrh header;
  if (const Progress progress = read_header(from_lrh, header); progress != Progress::ok) {
    return progress;
  }
  if (header.next_header() != kBthFollows && header.next_header() != kGrhFollows) {
    return Progress::other;
  }
  if (header.packet_length() < Lrh::size) {
    return Progress::malformed;
  }
  const Stretch packet = from_lrh.first(header.packet_length());
  const Stretch rest = packet.after(Lrh::size);
  if (header.next_header() == kBthFollows) {
    into.source = base::Address::lid(header.source_lid);
    into.destination = base::Address::lid(header.destination_lid);
    into.payload = rest.captured;
    into.payload_length = static_cast<uint32_t>(rest.length);
  } else {
    Stretch inside;
    if (const Progress progress = read_grh(rest, into, inside); progress != Progress::ok) {
      return progress;
    }
    if (inside.length > rest.length) {
      return Progress::malformed;
    }
  }
  into.carrier = Carrier::infiniband;
  into.network = packet.captured;
  return Progress::ok;
}

}  // namespace steertag::link
