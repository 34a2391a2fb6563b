#include "track/arrival.h"

#include "wire/reader.h"

namespace steertag::track {

void Arrival::keep() {
  if (!assembled || kept) {
    return;
  }
  const Bytes before = packet.network;  // holds all that a packet points to
  kept = std::make_shared<const std::vector<uint8_t>>(before.begin(), before.end());
  for (Bytes* view : {&packet.network, &packet.payload, &packet.tcp.options}) {
    if (!view->empty()) {
      *view = Bytes(kept->data() + (view->data() - before.data()), view->size());
    }
  }
}

namespace {

uint64_t mix(uint64_t x) {  // the finalizer of MurmurHash3
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdU;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
  return x ^ x >> 33;
}

uint64_t mix(const base::Address& address) {
  const uint64_t high = wire::big_endian<uint64_t>(address.octets.data());
  const uint64_t low = wire::big_endian<uint64_t>(address.octets.data() + 8);
  return mix(mix(high + static_cast<uint64_t>(address.kind)) ^ low);
}

}  // namespace

uint32_t Arrival::share(uint32_t shares) const {
  const uint64_t sum = mix(packet.source) + mix(packet.destination);  // the same either way
  return static_cast<uint32_t>((sum >> 32) % shares);
}

}  // namespace steertag::track
