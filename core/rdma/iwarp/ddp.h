// DDP segment headers, RFC 5041 §4: the tagged one of RDMA Writes and Read
// Responses, the untagged one of everything else. The RDMAP control byte
// (RFC 5040 §4.1) is DDP's "reserved for the ULP" byte and is read with it.
#pragma once

#include <cstdint>

#include "rdma/op.h"

namespace steertag::rdma::iwarp {

// RDMAP opcodes, RFC 5040 §4.3 and RFC 7306 §4.
enum class Opcode : uint8_t {
  write = 0,
  read_request = 1,
  read_response = 2,
  send = 3,
  send_invalidate = 4,
  send_solicited = 5,
  send_solicited_invalidate = 6,
  terminate = 7,
  immediate = 8,
  immediate_solicited = 9,
  atomic_request = 10,
  atomic_response = 11,
};

// Untagged queues, RFC 5040 §4.1 and RFC 7306 §5.
enum class Queue : uint32_t { send = 0, read_request = 1, terminate = 2, atomic_response = 3 };

// What an opcode goes with, RFC 5040 §4.1: the tagged model, or which queue of the
// untagged one.
constexpr bool wants_tag(Opcode opcode) {
  return opcode == Opcode::write || opcode == Opcode::read_response;
}
constexpr Queue queue_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::read_request:
    case Opcode::atomic_request:
      return Queue::read_request;
    case Opcode::terminate:
      return Queue::terminate;
    case Opcode::atomic_response:
      return Queue::atomic_response;
    default:
      return Queue::send;
  }
}

constexpr OpKind kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::write:
      return OpKind::write;
    case Opcode::read_request:
      return OpKind::read_request;
    case Opcode::read_response:
      return OpKind::read_response;
    case Opcode::send:
    case Opcode::send_invalidate:
    case Opcode::send_solicited:
    case Opcode::send_solicited_invalidate:
      return OpKind::send;
    default:
      return OpKind::other;
  }
}

// What both headers begin with: T L rsvd(4) DV(2) | RV(2) rsv(2) opcode(4).
struct Control {
  static constexpr uint32_t kSize = 2;

  uint8_t ddp = 0x41;    // tagged() ? 0x81 : 0x41, last segment, version 1
  uint8_t rdmap = 0x40;  // version 1

  bool tagged() const { return ddp & 0x80; }
  bool last() const { return ddp & 0x40; }
  uint8_t ddp_reserved() const { return ddp >> 2 & 0xF; }
  uint8_t ddp_version() const { return ddp & 3; }
  uint8_t rdmap_version() const { return rdmap >> 6; }
  uint8_t rdmap_reserved() const { return rdmap >> 4 & 3; }
  Opcode opcode() const { return static_cast<Opcode>(rdmap & 0xF); }

  static constexpr Control make(Opcode opcode, bool last) {
    return {static_cast<uint8_t>((wants_tag(opcode) ? 0x80 : 0) | (last ? 0x40 : 0) | 1),
            static_cast<uint8_t>(0x40 | static_cast<uint8_t>(opcode))};
  }

  static void layout(auto& w, auto& s) {
    w.hex("ddp_control", s.ddp);
    w.hex("rdmap_control", s.rdmap);
  }
};

struct TaggedHeader {  // RFC 5041 §4.2
  static constexpr uint32_t kSize = 14;

  Control control = Control::make(Opcode::write, true);
  uint32_t stag = 0;
  uint64_t offset = 0;  // TO of the first payload byte

  static void layout(auto& w, auto& s) {
    w("control", s.control);
    w.hex("stag", s.stag);
    w.hex("to", s.offset);
  }
};

struct UntaggedHeader {  // RFC 5041 §4.3
  static constexpr uint32_t kSize = 18;

  Control control = Control::make(Opcode::send, true);
  uint32_t invalidate_stag = 0;  // Sends with Invalidate; otherwise zero
  Queue queue = Queue::send;
  uint32_t sequence = 1;  // MSN
  uint32_t offset = 0;    // MO of the first payload byte

  static void layout(auto& w, auto& s) {
    w("control", s.control);
    w.hex("invalidate_stag", s.invalidate_stag);
    w("qn", s.queue);
    w("msn", s.sequence);
    w("mo", s.offset);
  }
};

}  // namespace steertag::rdma::iwarp
