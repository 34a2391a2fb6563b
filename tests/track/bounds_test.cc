// The tables of connections when they are full: what is of no use gives way, then whoever was not heard of
// for the longest time.
#include <catch2/catch.hpp>
#include <vector>

#include "rdma/iwarp/mpa.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"
#include "wire/writer.h"

using namespace steertag;
using track::Arrival;
using track::IwarpTable;
using track::RoceTable;
namespace roce = steertag::rdma::roce;

namespace {

// Which connections were closed, by the order of their first frame.
struct Heard final : track::Observer {
  struct Ear final : rdma::Listener {
    void on_setup(rdma::Side, const rdma::SetupHalf&, const Stamp&) override {}
    void on_op(const rdma::RdmaOp&) override {}
    void on_fault(const rdma::Fault&) override {}
    void on_gap(rdma::Side, const Stamp&) override {}
    void on_end(rdma::EndReason, const Stamp&) override {}
  } ear;
  std::vector<uint64_t> closed;

  rdma::Listener& on_open(track::Connection&) override { return ear; }
  void on_close(track::Connection& connection) override { closed.push_back(connection.order); }
};

// A frame a microsecond, between the pair of hosts with that number.
struct Feed {
  Heard heard;
  base::Budget budget;
  Moment now;
  uint64_t frames = 0;

  static base::Address host(uint8_t net, uint32_t pair) {
    const uint8_t octets[4] = {net, uint8_t(pair >> 16), uint8_t(pair >> 8), uint8_t(pair)};
    return base::Address::ipv4(octets);
  }
  Arrival arrival(uint32_t pair, link::Carrier carrier, const std::vector<uint8_t>& bytes) {
    Arrival made;
    made.packet.carrier = carrier;
    made.packet.source = host(10, pair);
    made.packet.destination = host(11, pair);
    made.packet.payload = bytes;
    made.packet.payload_length = static_cast<uint32_t>(bytes.size());
    made.order = ++frames;
    made.at = {.number = frames, .time_ns = static_cast<int64_t>(frames) * 1000};
    return made;
  }
  // Two Sends, with the same XIDs from either end, which makes a pair of the two ways.
  void send(RoceTable& table, uint32_t pair, bool back) {
    send(table, pair, back, 7);
    send(table, pair, back, 8);
  }
  void send(RoceTable& table, uint32_t pair, bool back, uint8_t xid) {
    roce::Packet call;
    call.dest_qp = 0x11;
    call.psn = (back ? 900 : 100) + xid;
    const std::vector<uint8_t> front{0, 0, 0, xid, 0, 0, 0, 1};  // and version
    call.payload = front;
    std::vector<uint8_t> bytes;
    roce::encode(call, bytes);
    bytes.resize(bytes.size() + roce::kIcrcSize);
    Arrival made = arrival(pair, link::Carrier::roce2, bytes);
    if (back) {
      std::swap(made.packet.source, made.packet.destination);
    }
    REQUIRE(roce::read_bth(made.packet.payload, made.packet.payload_length, made.bth));
    table.on_packet(made);
  }
};

}  // namespace

TEST_CASE_METHOD(Feed, "of more TCP connections than are remembered, those that are not iWARP give way") {
  IwarpTable table(heard, {}, budget, now);
  std::vector<uint8_t> request;
  wire::write(request, rdma::iwarp::SetupFrame{.key = rdma::iwarp::kRequestKey, .revision = 1});
  table.on_packet(arrival(0, link::Carrier::tcp, request));
  const std::vector<uint8_t> something(20, 'x');
  const auto talk = [&](uint32_t pair) {
    Arrival made = arrival(pair, link::Carrier::tcp, {});
    made.packet.tcp.syn = true;
    table.on_packet(made);
    made = arrival(pair, link::Carrier::tcp, something);
    made.packet.tcp.sequence = 1;
    table.on_packet(made);
  };
  for (uint32_t i = 1; i < IwarpTable::kMaxFlows; ++i) {
    talk(i);
  }
  const size_t held = budget.held();
  CHECK(held < IwarpTable::kMaxFlows * size_t{512});  // what they are is all that is remembered
  talk(IwarpTable::kMaxFlows);
  CHECK(budget.held() == held);
  CHECK(heard.closed.empty());
}

TEST_CASE_METHOD(Feed, "of more RoCE connections than are followed, the idlest gives way") {
  RoceTable table(heard, budget, now);
  for (uint32_t i = 0; i < RoceTable::kMaxLinks; ++i) {
    send(table, i, false);
    send(table, i, true);
  }
  send(table, 0, true);
  CHECK(heard.closed.empty());
  send(table, RoceTable::kMaxLinks, false);
  send(table, RoceTable::kMaxLinks, true);
  CHECK(heard.closed == std::vector<uint64_t>{5});  // the frame where the second begins
}

TEST_CASE_METHOD(Feed, "a RoCE connection is charged for itself, its queue pairs and its places in tables") {
  constexpr size_t kKeys = 2 * sizeof(track::Half);  // one for each way
  constexpr size_t kLeast = sizeof(track::Connection) + sizeof(roce::QpPair) + kKeys;
  constexpr uint32_t kConnections = 100;
  RoceTable table(heard, budget, now);
  for (uint32_t i = 0; i < kConnections; ++i) {
    send(table, i, false);
    send(table, i, true);
  }
  CHECK(budget.held() >= kConnections * kLeast);
  CHECK(budget.held() < kConnections * (kLeast + 1536));
}
