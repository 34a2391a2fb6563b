#include "track/arrival.h"

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

}  // namespace steertag::track
