// RoceTable::expect(): where the state of many connections is in turn, none of it is in a
// cache when its packet comes. So what lies one pointer further is asked for with each
// step, for all packets that come soon together. The state of few is in a cache anyway.

#include <array>

#include "base/fetch.h"
#include "rdma/roce/bth.h"
#include "track/roce_link.h"
#include "track/roce_table.h"

namespace steertag::track {

namespace roce = rdma::roce;

namespace {

constexpr size_t kMany = 64;  // connections whose state leaves the cache before its turn comes again

bool of_roce(const Arrival& arrival) {
  const link::Carrier carrier = arrival.packet.carrier;
  return carrier == link::Carrier::roce2 || carrier == link::Carrier::roce1 ||
         carrier == link::Carrier::infiniband;
}

auto half_of(const Arrival& arrival) {
  return [&] { return to_receiver(arrival.packet, arrival.bth.dest_qp); };
}

}  // namespace

void RoceTable::Link::fetch(Side from, roce::Opcode opcode, Step step) const {
  const rdma::OpKind kind = roce::kind_of(opcode);
  switch (step) {
    case Step::link:
      base::fetch(*this);
      break;
    case Step::parts:
      if (pair != nullptr) {
        pair->expect(from, opcode, rdma::Listener::Nearing::itself);
      }
      base::fetch(listener, 1);
      break;
    case Step::listener:
      if (pair != nullptr) {
        pair->expect(from, opcode, rdma::Listener::Nearing::contents);
        listener->expect(kind, from, rdma::Listener::Nearing::itself);
      }
      break;
    case Step::contents:
      if (pair != nullptr) {
        listener->expect(kind, from, rdma::Listener::Nearing::contents);
      }
      break;
  }
}

void RoceTable::expect(std::span<const Arrival> coming) {
  if (links_.size() < kMany) {
    return;
  }
  struct Expected {
    const Arrival* arrival = nullptr;
    Port port;
  };
  std::array<Expected, kMostExpected> expected;
  size_t count = 0;
  for (const Arrival& arrival : coming) {
    if (count != expected.size() && !arrival.copy && of_roce(arrival)) {
      ports_.expect(arrival.packet.flow, arrival.bth.dest_qp, half_of(arrival));
      expected[count++].arrival = &arrival;
    }
  }
  // One connection is asked for once: mostly what comes is a run of packets of one or two.
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const Arrival& arrival = *expected[i].arrival;
    const Port port = ports_.find(arrival.packet.flow, arrival.bth.dest_qp, half_of(arrival));
    const auto again = [&](size_t back) {
      return kept >= back && expected[kept - back].port.link == port.link;
    };
    if (port && !again(1) && !again(2)) {
      expected[kept++] = {&arrival, port};
    }
  }
  using Step = Link::Step;
  for (const Step step : {Step::link, Step::parts, Step::listener, Step::contents}) {
    for (size_t i = 0; i < kept; ++i) {
      expected[i].port.link->fetch(expected[i].port.from, expected[i].arrival->bth.opcode, step);
    }
  }
}

}  // namespace steertag::track
