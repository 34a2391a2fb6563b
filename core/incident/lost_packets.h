// LostPackets: how many packets of data were lost on their way between a client and its server, at least, and
// on which side of the tap: that tells who is to look for them. Packets that arrived and were refused are
// none; nor are acknowledgments, and requests to connect.
#pragma once

#include <algorithm>
#include <cstdint>

#include "flow/loss.h"

namespace steertag::incident {

// Towards one end.
struct LostOneWay {
  uint64_t behind_tap = 0, before_tap = 0, unknown = 0;
};

struct LostPackets {
  LostOneWay to_server, to_client;
  int64_t first_ns = INT64_MAX;  // when the first of them was sent, or an acknowledgment that was lost

  void note(const flow::Loss& loss, bool by_client) {
    if (loss.what != flow::Loss::What::setup) {
      first_ns = std::min(first_ns, loss.since.time_ns);
    }
    if (loss.what != flow::Loss::What::data) {
      return;
    }
    LostOneWay& way = by_client ? to_server : to_client;
    switch (loss.where) {
      case flow::Loss::Where::after_tap:
        way.behind_tap += loss.packets;
        break;
      case flow::Loss::Where::before_tap:
        way.before_tap += loss.packets;
        break;
      case flow::Loss::Where::unknown:
        way.unknown += loss.packets;
        break;
      case flow::Loss::Where::receiver:  // it arrived
        break;
    }
  }
  void add(const LostPackets& other) {
    add(to_server, other.to_server);
    add(to_client, other.to_client);
    first_ns = std::min(first_ns, other.first_ns);
  }

 private:
  static void add(LostOneWay& to, const LostOneWay& more) {
    to.behind_tap += more.behind_tap;
    to.before_tap += more.before_tap;
    to.unknown += more.unknown;
  }
};

}  // namespace steertag::incident
