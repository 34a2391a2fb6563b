// What the tests of the QpPair's parts are made of: packets, and an ear for what is reported.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/psn.h"
#include "rdma/roce/requests.h"

namespace steertag::rdma::roce::test {

// Writes down what it hears: "S4" a Send of 4 bytes, "W", "R", "D" likewise, "gap", "repeat", "acked",
// "fault", and anomalies by their number.
struct Heard final : Listener {
  std::string said;
  std::vector<Anomaly> anomalies;
  std::vector<RdmaOp> ops;
  std::vector<Fault> faults;
  size_t strays = 0;

  void on_setup(Side, const SetupHalf&, const Stamp&) override {}
  void on_op(const RdmaOp& op) override {
    constexpr const char* kNames[] = {"S", "W", "R", "D", "other"};
    ops.push_back(op);
    say(kNames[static_cast<size_t>(op.kind)] +
        std::to_string(op.kind == OpKind::read_request ? op.memory.length : op.payload_length));
  }
  void on_fault(const Fault& fault) override { faults.push_back(fault), say("fault"); }
  void on_gap(Side, const Stamp&) override { say("gap"); }
  void on_stray_acknowledgment(Side, const Stamp&) override { ++strays; }
  void on_retransmission(Side, const Stamp&) override { say("repeat"); }
  void on_acknowledged(Side, const Stamp&) override { say("acked"); }
  void on_anomaly(const Anomaly& anomaly) override {
    if (anomaly.kind != Anomaly::Kind::inner_size) {  // no mistake
      anomalies.push_back(anomaly);
    }
  }
  void on_end(EndReason, const Stamp&) override {}

  std::string take() { return std::exchange(said, ""); }
  bool only(Anomaly::Kind kind) const { return anomalies.size() == 1 && anomalies[0].kind == kind; }

 private:
  void say(const std::string& word) { said += (said.empty() ? "" : " ") + word; }
};

// `length` bytes on the wire, none captured.
inline Packet packet_of(Opcode opcode, uint32_t psn, uint32_t length = 0) {
  Packet packet;
  packet.opcode = opcode;
  packet.psn = psn & kPsnMask;
  packet.payload_length = length;
  return packet;
}

inline Packet read_of(uint32_t psn, uint32_t length) {
  Packet packet = packet_of(Opcode::read_request, psn);
  packet.reth = Reth{0x1000, 7, length};
  return packet;
}

inline Packet answer(uint32_t psn, uint8_t syndrome = 0x1F) {
  Packet packet = packet_of(Opcode::acknowledge, psn);
  packet.aeth = Aeth{syndrome, 0};
  return packet;
}

// One direction, and what its Requests accept.
struct Sender {
  Heard heard;
  Outlet outlet{.listener = heard, .path_mtu = {}, .closed = {}, .shelf = {}};
  OrderWatch watch{heard, Side::a};
  IcrcWatch icrcs{heard, Side::a};
  Reads reads;
  Requests requests{outlet, watch, icrcs, reads, Side::a};
  uint64_t frame = 0;

  Stamp now() { return {.number = ++frame}; }
  void send(uint32_t psn, uint32_t length = 4) {
    requests.on_packet(packet_of(Opcode::send_only, psn, length), now());
  }
  const Sequence& sequence() const { return requests.sent().sequence; }
};

}  // namespace steertag::rdma::roce::test
