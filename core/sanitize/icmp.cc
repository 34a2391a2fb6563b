#include "sanitize/icmp.h"

#include "link/internet_checksum.h"

namespace steertag::sanitize {
namespace {

// Whether the options of neighbour discovery behind that are what they say (RFC 4861 §4.6).
bool whole_neighbour_options(Bytes options) {
  while (!options.empty()) {
    const size_t length = options.size() < 8 ? 0 : options[1] * size_t{8};
    if (length == 0 || length > options.size()) {
      return false;
    }
    options = options.subspan(length);
  }
  return true;
}

void write_neighbour(const Canvas& canvas, AddressMap& addresses, Bytes target) {
  if (target.size() < kIpv6) {
    return;
  }
  canvas.keep(target.first(kIpv6));
  addresses.ipv6(canvas.after(target.first(kIpv6)));
  const Bytes options = target.subspan(kIpv6);
  if (!whole_neighbour_options(options)) {
    return;
  }
  for (size_t at = 0; at < options.size(); at += options[at + 1] * size_t{8}) {
    canvas.keep(options.subspan(at, 2));
    if (options[at] == 1 || options[at] == 2) {
      canvas.keep(options.subspan(at + 2, kMac));
      addresses.mac(canvas.after(options.subspan(at + 2, kMac)));
    }
  }
}

}  // namespace

void write_icmp(const Canvas& canvas, AddressMap& addresses, const link::IpHeader& ip) {
  const Bytes message = ip.payload.captured;
  constexpr size_t kFront = 4, kNumbers = 8;
  canvas.keep(slice(message, 0, kFront));
  const Bytes numbers = slice(message, kFront, 4);
  const uint8_t type = message.empty() ? 0 : message[0];
  if (ip.protocol == kIcmp && type == 5 && numbers.size() == 4) {
    canvas.keep(numbers);
    addresses.ipv4(canvas.after(numbers));
  } else if (ip.protocol == kIcmp && (type == 0 || type == 3 || type == 8 || type == 11) &&
             link::ones_sum(message) == 0xFFFF) {
    canvas.keep(numbers);
  } else if (ip.protocol == kIcmpV6 && (type == 135 || type == 136)) {
    canvas.keep(slice(numbers, 0, 1));
    write_neighbour(canvas, addresses, slice(message, kNumbers));
  }
}

}  // namespace steertag::sanitize
