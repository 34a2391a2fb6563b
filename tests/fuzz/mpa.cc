// Both directions of one TCP connection, through the iWARP TcpConnection. Layout of the
// input: 1 byte options, then segments of 1 byte flags (1 from b, 2 SYN, 4 ACK,
// 8 FIN, 16 RST), 4 bytes sequence number, 4 bytes acknowledgment, 2 bytes
// captured length, 1 byte cut off by the snaplen, and the captured bytes.
#include <array>

#include "input.h"
#include "rdma/iwarp/tcp_connection.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

// What every Listener may rely on.
class Pieces final : public rdma::Listener {
 public:
  void on_setup(rdma::Side, const rdma::SetupHalf&, const Stamp&) override {}
  void on_op(const rdma::RdmaOp& op) override {
    require(!ended_, "nothing is delivered after the end");
    require(op.payload.size() <= op.payload_length, "captured bytes are a prefix of the piece");
    require(!op.frames.empty(), "a piece came in some frame");
  }
  void on_fault(const rdma::Fault&) override {}
  void on_gap(rdma::Side, const Stamp&) override {}
  void on_end(rdma::EndReason, const Stamp&) override {
    require(!ended_, "a connection ends once");
    ended_ = true;
  }

 private:
  bool ended_ = false;
};

}  // namespace

void run_mpa(Bytes bytes) {
  Input input(bytes);
  Pieces checker;
  rdma::iwarp::Options options;
  const uint64_t choice = input.number(1);
  options.verify_crc = (choice & 1) != 0;
  const uint16_t port = (choice & 2) != 0 ? 20049 : 4420;
  rdma::iwarp::TcpConnection tcp(checker, options);
  Stamp at;
  while (!input.empty()) {
    const uint64_t flags = input.number(1);
    const rdma::Side from = (flags & 1) != 0 ? rdma::Side::b : rdma::Side::a;
    link::Packet segment;
    segment.carrier = link::Carrier::tcp;
    segment.tcp.source_port = from == rdma::Side::a ? 50000 : port;
    segment.tcp.destination_port = from == rdma::Side::a ? port : 50000;
    segment.tcp.syn = (flags & 2) != 0;
    segment.tcp.ack = (flags & 4) != 0;
    segment.tcp.fin = (flags & 8) != 0;
    segment.tcp.rst = (flags & 16) != 0;
    segment.tcp.sequence = static_cast<uint32_t>(input.number(4));
    segment.tcp.acknowledgment = static_cast<uint32_t>(input.number(4));
    const auto captured = static_cast<size_t>(input.number(2));
    const auto cut = static_cast<uint32_t>(input.number(1));
    segment.payload = input.take(captured);
    segment.payload_length = static_cast<uint32_t>(segment.payload.size()) + cut;
    at.number += 1;
    at.time_ns += 1'000'000;
    tcp.opens_new_epoch(from, segment);
    tcp.on_segment(from, segment, at);
  }
  tcp.finish(at);
}

}  // namespace steertag::fuzz
