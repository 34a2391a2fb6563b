// Bth: the Base Transport Header that opens every InfiniBand and RoCE packet,
// and what its opcode says: which extension headers follow, whether the packet
// is a request or a response, and where it stands in its message.
//
// Opcode keeps every value that was on the wire; an opcode without a name has
// no known extension headers, and all that follows the BTH is its payload.
#pragma once

#include <array>
#include <cstdint>

namespace steertag::rdma::roce {

// IBTA vol. 1 §9.2. Without a transport prefix: Reliable Connection.
enum class Opcode : uint8_t {
  send_first = 0x00,
  send_middle = 0x01,
  send_last = 0x02,
  send_last_immediate = 0x03,
  send_only = 0x04,
  send_only_immediate = 0x05,
  write_first = 0x06,
  write_middle = 0x07,
  write_last = 0x08,
  write_last_immediate = 0x09,
  write_only = 0x0A,
  write_only_immediate = 0x0B,
  read_request = 0x0C,
  read_response_first = 0x0D,
  read_response_middle = 0x0E,
  read_response_last = 0x0F,
  read_response_only = 0x10,
  acknowledge = 0x11,
  atomic_acknowledge = 0x12,
  compare_swap = 0x13,
  fetch_add = 0x14,
  send_last_invalidate = 0x16,
  send_only_invalidate = 0x17,
  flush = 0x1C,
  atomic_write = 0x1D,
  ud_send_only = 0x64,
  cnp = 0x81,
};

// Where a packet stands in its message, as bits: Only is first and last.
enum class Place : uint8_t { middle = 0, first = 1, last = 2, only = 3 };

enum class Role : uint8_t { unknown, request, response };

// What an operation is, whatever the packet's place in it.
enum class Operation : uint8_t {
  unknown,
  send,
  write,
  read_request,
  read_response,
  acknowledge,
  atomic,
  flush,
  datagram,
  cnp
};

// The extension headers behind a BTH, in wire order, as bits. At most one of
// each; FETH stands in front of RETH, every other header behind it.
enum Extension : uint8_t {
  kDeth = 1,
  kFeth = 2,
  kReth = 4,
  kAtomicEth = 8,
  kAeth = 16,
  kAtomicAckEth = 32,
  kImmediate = 64,
  kIeth = 128,
};

struct Shape {
  Operation operation = Operation::unknown;
  Role role = Role::unknown;
  Place place = Place::only;
  uint8_t extensions = 0;  // Extension bits
  bool payload = true;     // may carry payload
  uint8_t headers = 0;     // bytes of the BTH and of these
};

// One row an opcode (IBTA vol. 1 §9.2). Role::unknown for opcodes without a name.
extern const std::array<Shape, 256> kShapes;
inline const Shape& shape(Opcode op) {
  return kShapes[static_cast<uint8_t>(op)];
}

// UD datagrams and CNPs are neither request nor response.
inline bool is_request(Opcode op) {
  return shape(op).role == Role::request;
}
inline bool is_response(Opcode op) {
  return shape(op).role == Role::response;
}

inline bool is_send(Opcode op) {
  return shape(op).operation == Operation::send;
}
inline bool is_write(Opcode op) {
  return shape(op).operation == Operation::write;
}
inline bool is_read_response(Opcode op) {
  return shape(op).operation == Operation::read_response;
}

// First opens a message of several packets; Only is not First. An unknown
// opcode counts as Only.
inline bool is_first(Opcode op) {
  return shape(op).place == Place::first;
}
inline bool is_middle(Opcode op) {
  return shape(op).place == Place::middle;
}
inline bool is_last(Opcode op) {
  return shape(op).place == Place::last;
}
inline bool is_only(Opcode op) {
  return shape(op).place == Place::only;
}
// First or Only; Last or Only.
inline bool starts_message(Opcode op) {
  return is_first(op) || is_only(op);
}
inline bool ends_message(Opcode op) {
  return is_last(op) || is_only(op);
}

inline bool carries_payload(Opcode op) {
  return shape(op).payload;
}

// 12 bytes, IBTA vol. 1 §9.2. Bit fields stay as they are on the wire.
struct Bth {
  static constexpr uint32_t size = 12;  // bytes

  Opcode opcode = Opcode::send_only;
  uint8_t flags = 0;  // SE 0x80, MigReq 0x40, PadCnt 0x30, TVer 0x0F
  uint16_t p_key = 0xFFFF;
  uint8_t congestion = 0;   // FECN 0x80, BECN 0x40
  uint32_t dest_qp = 0;     // 24 bits
  uint8_t ack_request = 0;  // 0x80
  uint32_t psn = 0;         // 24 bits

  uint8_t pad() const { return flags >> 4 & 3; }  // bytes
  uint8_t version() const { return flags & 15; }

  static void layout(auto& w, auto& s) {
    w("opcode", s.opcode);
    w.hex("flags", s.flags);
    w.hex("p_key", s.p_key);
    w.hex("congestion", s.congestion);
    w.u24("dest_qp", s.dest_qp);
    w.hex("ack_request", s.ack_request);
    w.u24("psn", s.psn);
  }
};

}  // namespace steertag::rdma::roce
