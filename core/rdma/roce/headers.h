// The extension headers that may follow a BTH (IBTA vol. 1 §9.3), each spelled
// once: the same layout reads a captured header and writes an emitted one.
// bth.h says which of them follow which opcode.
#pragma once

#include <cstdint>

namespace steertag::rdma::roce {

// RDMA WRITE First/Only, READ Request, FLUSH, ATOMIC WRITE: the remote memory.
struct Reth {
  static constexpr uint32_t size = 16;  // bytes

  uint64_t va = 0;
  uint32_t r_key = 0;
  uint32_t length = 0;  // bytes of the whole operation

  static void layout(auto& w, auto& s) {
    w.hex("va", s.va);
    w.hex("r_key", s.r_key);
    w("dma_length", s.length);
  }
  friend bool operator==(const Reth&, const Reth&) = default;
};

// Acknowledge and READ Response First/Last/Only. Syndrome: 000ccccc ACK with
// credits, 001ttttt RNR NAK with a timer, 011nnnnn NAK with a code.
struct Aeth {
  static constexpr uint32_t size = 4;  // bytes

  uint8_t syndrome = 0;
  uint32_t msn = 0;  // 24 bits: requests completed by the responder

  // The low five bits: credit count of an ACK (31: none given), timer of an RNR
  // NAK, or NakCode of a NAK.
  uint8_t code() const { return syndrome & 0x1F; }
  bool is_ack() const { return (syndrome >> 5 & 3) == 0; }
  bool is_rnr_nak() const { return (syndrome >> 5 & 3) == 1; }
  bool is_nak() const { return (syndrome >> 5 & 3) == 3; }

  static void layout(auto& w, auto& s) {
    w.hex("syndrome", s.syndrome);
    w.u24("msn", s.msn);
  }
  friend bool operator==(const Aeth&, const Aeth&) = default;
};

// Aeth::code() where Aeth::is_nak().
enum class NakCode : uint8_t {
  psn_sequence_error = 0,
  invalid_request = 1,
  remote_access_error = 2,
  remote_operational_error = 3,
  invalid_rd_request = 4,
};

struct ImmDt {
  static constexpr uint32_t size = 4;  // bytes
  uint32_t data = 0;
  static void layout(auto& w, auto& s) { w.hex("immediate", s.data); }
};

// SEND with Invalidate: the R_Key that the receiver invalidates.
struct Ieth {
  static constexpr uint32_t size = 4;  // bytes
  uint32_t r_key = 0;
  static void layout(auto& w, auto& s) { w.hex("r_key", s.r_key); }
};

struct AtomicEth {
  static constexpr uint32_t size = 28;  // bytes

  uint64_t va = 0;
  uint32_t r_key = 0;
  uint64_t swap_or_add = 0;
  uint64_t compare = 0;

  static void layout(auto& w, auto& s) {
    w.hex("va", s.va);
    w.hex("r_key", s.r_key);
    w.hex("swap_or_add", s.swap_or_add);
    w.hex("compare", s.compare);
  }
  friend bool operator==(const AtomicEth&, const AtomicEth&) = default;
};

struct AtomicAckEth {
  static constexpr uint32_t size = 8;  // bytes
  uint64_t original = 0;
  static void layout(auto& w, auto& s) { w.hex("original", s.original); }
};

// UD datagrams: who sends, and the key that admits it to the queue pair.
struct Deth {
  static constexpr uint32_t size = 8;  // bytes

  uint32_t q_key = 0;
  uint8_t reserved = 0;
  uint32_t source_qp = 0;  // 24 bits

  static void layout(auto& w, auto& s) {
    w.hex("q_key", s.q_key);
    w.hex("reserved", s.reserved);
    w.u24("source_qp", s.source_qp);
  }
  friend bool operator==(const Deth&, const Deth&) = default;
};

// FLUSH: placement type and selectivity bits, kept raw.
struct Feth {
  static constexpr uint32_t size = 4;  // bytes
  uint32_t bits = 0;
  static void layout(auto& w, auto& s) { w.hex("flush", s.bits); }
};

}  // namespace steertag::rdma::roce
