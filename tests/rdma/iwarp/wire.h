// A small iWARP connection for tests: writes FPDUs, cuts them into TCP segments
// and notes what the TcpConnection makes of them.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rdma/anomaly.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/rdmap.h"
#include "rdma/iwarp/tcp_connection.h"
#include "wire/writer.h"

namespace steertag::rdma::iwarp::test {

using Buffer = std::vector<uint8_t>;

inline Buffer pattern(size_t size, uint8_t seed) {
  Buffer out(size);
  for (size_t i = 0; i < size; ++i) {
    out[i] = static_cast<uint8_t>(seed + i * 7 + i / 251);
  }
  return out;
}

// What was heard, each call as a line, and whole operations put together.
struct Recorder : Listener {
  struct Op : RdmaOp {
    Buffer bytes;
    std::vector<uint64_t> numbers;
  };
  std::vector<Op> ops;
  std::vector<std::string> lines;
  std::vector<Fault> faults;
  std::vector<std::pair<Side, SetupHalf>> setups;
  std::vector<Buffer> private_data;
  std::vector<EndReason> ends;
  std::array<unsigned, 2> gaps{};
  std::vector<Anomaly> anomalies;
  unsigned retransmissions = 0;

  void on_setup(Side half, const SetupHalf& setup, const Stamp&) override {
    setups.emplace_back(half, setup);
    private_data.emplace_back(setup.private_data.begin(), setup.private_data.end());
  }
  void on_op(const RdmaOp& op) override {
    REQUIRE(op.payload.size() <= op.payload_length);
    REQUIRE(!op.frames.empty());
    Op copy;
    static_cast<RdmaOp&>(copy) = op;
    copy.bytes.assign(op.payload.begin(), op.payload.end());
    for (const Stamp& stamp : op.frames) {
      if (!copy.numbers.empty()) {
        REQUIRE(copy.numbers.back() < stamp.number);
      }
      copy.numbers.push_back(stamp.number);
    }
    copy.payload = {};
    copy.frames = {};
    ops.push_back(copy);
  }
  void on_fault(const Fault& fault) override { faults.push_back(fault); }
  void on_gap(Side from, const Stamp&) override { ++gaps[index(from)]; }
  void on_retransmission(Side, const Stamp&) override { ++retransmissions; }
  void on_anomaly(const Anomaly& anomaly) override { anomalies.push_back(anomaly); }
  void on_end(EndReason reason, const Stamp&) override { ends.push_back(reason); }

  size_t count(OpKind kind) const {
    return static_cast<size_t>(
        std::count_if(ops.begin(), ops.end(), [&](const Op& op) { return op.kind == kind; }));
  }
};

// One direction's bytes as they are written.
struct Half {
  Buffer bytes;
  uint64_t position = 0;  // in the full-operation phase
  Markers markers;
  bool crc = true;
  uint32_t send_msn = 0, read_msn = 0;

  void fpdu(const Buffer& ulpdu) { encode_fpdu(bytes, ulpdu, crc, markers, position); }

  void send(const Buffer& payload, Opcode opcode = Opcode::send, uint32_t invalidate = 0,
            size_t piece = 60000) {
    ++send_msn;
    size_t at = 0;
    do {
      const size_t size = std::min(piece, payload.size() - at);
      Buffer ulpdu;
      UntaggedHeader header;
      header.control = Control::make(opcode, at + size == payload.size());
      header.invalidate_stag = invalidate;
      header.sequence = send_msn;
      header.offset = static_cast<uint32_t>(at);
      wire::write(ulpdu, header);
      ulpdu.insert(ulpdu.end(), payload.begin() + static_cast<ptrdiff_t>(at),
                   payload.begin() + static_cast<ptrdiff_t>(at + size));
      fpdu(ulpdu);
      at += size;
    } while (at < payload.size());
  }
  void tagged(Opcode opcode, uint32_t stag, uint64_t to, const Buffer& payload, size_t piece = 60000) {
    size_t at = 0;
    do {
      const size_t size = std::min(piece, payload.size() - at);
      Buffer ulpdu;
      wire::write(ulpdu, TaggedHeader{Control::make(opcode, at + size == payload.size()), stag, to + at});
      ulpdu.insert(ulpdu.end(), payload.begin() + static_cast<ptrdiff_t>(at),
                   payload.begin() + static_cast<ptrdiff_t>(at + size));
      fpdu(ulpdu);
      at += size;
    } while (at < payload.size());
  }
  void read_request(const ReadRequestHeader& request) {
    Buffer ulpdu;
    UntaggedHeader header;
    header.control = Control::make(Opcode::read_request, true);
    header.queue = Queue::read_request;
    header.sequence = ++read_msn;
    wire::write(ulpdu, header);
    wire::write(ulpdu, request);
    fpdu(ulpdu);
  }
  void terminate(const TerminateHeader& what) {
    Buffer ulpdu;
    UntaggedHeader header;
    header.control = Control::make(Opcode::terminate, true);
    header.queue = Queue::terminate;
    wire::write(ulpdu, header);
    wire::write(ulpdu, what);
    fpdu(ulpdu);
  }
  // What has been written since the last call.
  Buffer take() { return std::exchange(bytes, {}); }
};

struct Link {
  Recorder out;
  Options options;
  std::optional<TcpConnection> made;
  Half a, b;
  std::array<uint32_t, 2> isn{0xFFFFFF00, 77};
  std::array<uint32_t, 2> sent{};  // stream bytes so far
  std::array<uint16_t, 2> port{50000, 20049};
  uint64_t frames = 0;

  TcpConnection& tcp() {
    if (!made) {
      made.emplace(out, options);
    }
    return *made;
  }
  Half& half(Side side) { return side == Side::a ? a : b; }

  link::Packet packet(Side from) const {
    const size_t i = index(from);
    link::Packet p;
    p.carrier = link::Carrier::tcp;
    p.tcp.source_port = port[i];
    p.tcp.destination_port = port[1 - i];
    p.tcp.sequence = isn[i] + 1 + sent[i];
    p.tcp.ack = true;
    p.tcp.acknowledgment = isn[1 - i] + 1 + sent[1 - i];
    return p;
  }
  void push(Side from, const link::Packet& p) { tcp().on_segment(from, p, Stamp{++frames, 0, 0}); }

  void syn() {
    link::Packet p = packet(Side::a);
    p.tcp.ack = false;
    p.tcp.syn = true;
    --p.tcp.sequence;
    push(Side::a, p);
    p = packet(Side::b);
    p.tcp.syn = true;
    --p.tcp.sequence;
    push(Side::b, p);
  }
  // A segment with these bytes, of which the last `cut` are not captured.
  void segment(Side from, Bytes bytes, size_t cut = 0) {
    link::Packet p = packet(from);
    p.payload = bytes.first(bytes.size() - cut);
    p.payload_length = static_cast<uint32_t>(bytes.size());
    push(from, p);
    sent[index(from)] += static_cast<uint32_t>(bytes.size());
  }
  // The segment was sent and acknowledged, but is not in the capture.
  void lose(Side from, size_t bytes) { sent[index(from)] += static_cast<uint32_t>(bytes); }
  // Sends what `from` has written, in segments of `size` bytes.
  void flush(Side from, size_t size = 1448) {
    const Buffer bytes = half(from).take();
    for (size_t at = 0; at < bytes.size(); at += size) {
      segment(from, slice(bytes, at, size));
    }
  }
  void ack(Side from) { push(from, packet(from)); }
  void fin(Side from) {
    link::Packet p = packet(from);
    p.tcp.fin = true;
    push(from, p);
    ++sent[index(from)];
  }
  // From so many bytes behind where it stands.
  void rst(Side from, uint32_t behind = 0) {
    link::Packet p = packet(from);
    p.tcp.rst = true;
    p.tcp.sequence -= behind;
    push(from, p);
  }
  void setup_frame(Side from, uint8_t flags, uint8_t revision, const Buffer& private_data) {
    SetupFrame frame;
    frame.key = from == Side::a ? kRequestKey : kReplyKey;
    frame.flags = flags;
    frame.revision = revision;
    frame.pd_length = static_cast<uint16_t>(private_data.size());
    Buffer bytes;
    wire::write(bytes, frame);
    bytes.insert(bytes.end(), private_data.begin(), private_data.end());
    segment(from, bytes);
  }
  // SYN, Request and Reply.
  void open(bool markers = false) {
    syn();
    const auto flags = static_cast<uint8_t>(SetupFrame::kCrc | (markers ? SetupFrame::kMarkers : 0));
    setup_frame(Side::a, flags, 1, {});
    setup_frame(Side::b, flags, 1, {});
    a.markers.in_use = b.markers.in_use = markers;
  }
  void finish() { tcp().finish(Stamp{frames, 0, 0}); }
};

}  // namespace steertag::rdma::iwarp::test
