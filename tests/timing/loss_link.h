// Link: one direction of a connection, packet by packet, and the losses that are told of it. By hand: places
// as the transports count them, one millisecond between frames unless a test says otherwise.
#pragma once

#include <vector>

#include "timing/losses.h"

namespace steertag::timing::test {

using flow::Loss;

inline constexpr int64_t kMs = 1'000'000;

struct Hears final : flow::Sink {
  void on_claimed(track::Connection&) override {}
  void on_message(const flow::Message&) override {}
  void on_placement(const flow::Exchange&, const flow::SegmentFlow&, const rdma::RdmaOp&, uint32_t,
                    uint32_t) override {}
  void on_exchange(const flow::Exchange&) override {}
  void on_access(const flow::Access&) override {}
  void on_incident(const flow::Incident&) override {}
  void on_loss(const track::Connection&, const Loss& loss) override { all.push_back(loss); }
  std::vector<Loss> all;
};

// One direction: `a` sends, `b` receives. A packet has a place, and 100 bytes; over TCP as many places.
struct Link {
  explicit Link(rdma::Transport transport = rdma::Transport::roce2) {
    connection.transport = transport;
    connection.rpcrdma = true;
    connection.end(Side::b).rtt_ns = kMs / 10;
    connection.end(Side::a).rtt_ns = kMs / 10;
  }
  bool tcp() const { return connection.transport == rdma::Transport::iwarp; }
  Stamp now(int64_t after_ns = kMs) {
    time_ns += after_ns;
    return {.number = ++frame, .time_ns = time_ns};
  }
  Stamp sent(uint64_t place, int64_t after_ns = kMs) {
    const Stamp at = now(after_ns);
    rdma::RdmaOp op;
    op.end_position = place + (tcp() ? 100 : 1);
    op.frames = {&at, 1};
    op.payload_length = 100;
    losses.fresh(op);
    return at;
  }
  rdma::Late late(uint64_t place, const std::optional<Stamp>& first, int64_t after_ns) {
    rdma::Late one;
    one.begin = place;
    one.end = place + (tcp() ? 100 : 1);
    one.number = static_cast<uint32_t>(place);
    one.bytes = 100;
    one.since = first;
    one.at = now(after_ns);
    return one;
  }
  Stamp again(uint64_t place, const Stamp& first, int64_t after_ns = kMs) {
    rdma::Late one = late(place, first, after_ns);
    one.again = true;
    losses.late(one, false);
    return one.at;
  }
  Stamp unseen(uint64_t place, const Stamp& shown, int64_t after_ns = kMs) {
    const rdma::Late one = late(place, shown, after_ns);
    losses.late(one, false);
    return one.at;
  }
  // Of RDMA Reads of `b`: its Request comes again; `a` answers it, and again.
  Stamp asks_again(uint64_t place, uint64_t until = 0, int64_t after_ns = kMs) {
    rdma::Late one = late(place, {}, after_ns);
    one.asks_until = until;
    one.from = Side::b;
    one.again = one.asks = true;
    losses.late(one, false);
    return one.at;
  }
  Stamp responds(uint64_t place) {
    const Stamp at = now();
    rdma::RdmaOp op;
    op.kind = rdma::OpKind::read_response;
    op.end_position = place + 1;
    op.frames = {&at, 1};
    op.payload_length = 100;
    losses.fresh(op);
    return at;
  }
  Stamp responds_again(uint64_t place, const Stamp& first) {
    rdma::Late one = late(place, first, kMs);
    one.of_reads = one.again = true;
    one.previous = place - 1;
    losses.late(one, false);
    return one.at;
  }
  void repeats(uint64_t place, const Stamp& first) {  // both
    asks_again(place);
    responds_again(place, first);
  }
  Stamp nak(uint64_t place, rdma::Fault::Kind kind = rdma::Fault::Kind::nak_sequence, uint8_t code = 0) {
    rdma::Fault fault;
    fault.kind = kind;
    fault.from = Side::b;
    fault.place = place;
    fault.code = code;
    fault.at = now();
    losses.fault(fault);
    return fault.at;
  }
  Stamp acknowledges_again(uint64_t place) {
    const Stamp at = now();
    losses.acknowledged_again(Side::b, place, at);
    return at;
  }
  void accepts(uint64_t place, int64_t after_ns = kMs) { losses.accepted(Side::b, place, now(after_ns)); }
  const std::vector<Loss>& all() {
    losses.finish();
    return hears.all;
  }

  track::Connection connection;
  Hears hears;
  Losses losses{connection, hears};
  int64_t time_ns = 0;
  uint64_t frame = 0;
};

}  // namespace steertag::timing::test
