#include "link/cooked.h"

#include <algorithm>
#include <array>

#include "link/headers.h"

namespace steertag::link {
namespace {

struct CookedV1 {
  static constexpr uint32_t size = 16;  // bytes

  uint16_t packet_type = 0;
  uint16_t device_type = 0;  // ARPHRD_
  uint16_t address_length = 0;
  std::array<uint8_t, 8> address{};
  uint16_t protocol = 0;

  static void layout(auto& w, auto& s) {
    w("packet_type", s.packet_type);
    w("device_type", s.device_type);
    w("address_length", s.address_length);
    w.array("address", s.address);
    w.hex("protocol", s.protocol);
  }
};

struct CookedV2 {
  static constexpr uint32_t size = 20;  // bytes

  uint16_t protocol = 0;
  uint16_t reserved = 0;
  uint32_t interface = 0;
  uint16_t device_type = 0;  // ARPHRD_
  uint8_t packet_type = 0;
  uint8_t address_length = 0;
  std::array<uint8_t, 8> address{};

  static void layout(auto& w, auto& s) {
    w.hex("protocol", s.protocol);
    w("reserved", s.reserved);
    w("interface", s.interface);
    w("device_type", s.device_type);
    w("packet_type", s.packet_type);
    w("address_length", s.address_length);
    w.array("address", s.address);
  }
};

struct Loopback {
  static constexpr uint32_t size = 4;  // bytes
  uint32_t family = 0;
  static void layout(auto& w, auto& s) { w("family", s.family); }
};

// What `header` says of where the frame was seen.
uint32_t way_of(const CookedV1&) {
  return 0;
}
uint32_t way_of(const CookedV2& header) {
  return mixed(0, header.interface);
}

// Of its sender, where that has one of six octets.
template <typename Header>
Mac mac_of(const Header& header) {
  Mac mac{};
  if (header.address_length == mac.size()) {
    std::copy_n(header.address.begin(), mac.size(), mac.begin());
  }
  return mac;
}

template <typename Header>
Progress read_cooked(Stretch frame, EtherPayload& into) {
  Header header;
  if (const Progress progress = read_header(frame, header); progress != Progress::ok) {
    return progress;
  }
  into = EtherPayload{header.protocol, frame.after(Header::size), mac_of(header), way_of(header)};
  return skip_vlan_tags(into);
}

}  // namespace

Progress read_cooked_v1(Stretch frame, EtherPayload& into) {
  return read_cooked<CookedV1>(frame, into);
}

Progress read_cooked_v2(Stretch frame, EtherPayload& into) {
  return read_cooked<CookedV2>(frame, into);
}

Progress read_loopback(Stretch frame, EtherPayload& into) {
  Loopback header;
  if (const Progress progress = read_header(frame, header); progress != Progress::ok) {
    return progress;
  }
  // Every known family fits one byte, so the other order has it in the top one.
  const uint32_t family = header.family > 0xFFFFFF ? header.family >> 24 : header.family;
  switch (family) {
    case 2:  // AF_INET everywhere
      into = EtherPayload{ether_type::kIpv4, frame.after(Loopback::size), {}, 0};
      return Progress::ok;
    case 10:  // AF_INET6: Linux
    case 24:  // NetBSD, OpenBSD
    case 28:  // FreeBSD
    case 30:  // macOS
      into = EtherPayload{ether_type::kIpv6, frame.after(Loopback::size), {}, 0};
      return Progress::ok;
    default:
      return Progress::other;
  }
}

}  // namespace steertag::link
