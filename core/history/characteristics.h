// Characteristics: the transport characteristics (xcharext-02) that the two ends of a connection
// have reported, requested and rejected, collected from their RDMA2_OPTIONAL messages into one
// Terms for each end (terms.h). Also remembers the messages that belong to no RPC, since a later
// RDMA_ERROR may answer one of them (Aside).
//
// History passes it every message; rules read it through Standing and, at the end of a
// connection, through History. Every list in it is bounded: the oldest entry gives way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/message.h"
#include "frame.h"
#include "history/terms.h"
#include "rdma/op.h"

namespace steertag::history {

class Characteristics {
 public:
  const Terms& of(rdma::Side side) const { return ends_[rdma::index(side)]; }

  // `agreed`: a version had been agreed upon before the message.
  void note(const Message& message, bool agreed);
  // The peer of `side` has answered the message that `side` sent at `at`.
  void note_heard(rdma::Side side, const Stamp& at);
  void note_gap(rdma::Side from);

  // The newest message of `side` with this XID that belongs to no RPC: one that was answered, or one that was
  // not. Null where none is remembered.
  const Aside* find_aside(rdma::Side side, uint32_t xid, bool answered) const;
  // The newest of them that is of an extension not known here, answered or not.
  const Aside* find_unknown(rdma::Side side, uint32_t xid) const;
  size_t bytes() const { return ends_[0].bytes() + ends_[1].bytes(); }  // of the heap

 private:
  Terms& end(rdma::Side side) { return ends_[rdma::index(side)]; }
  void note_optional(const Message& message);
  void note_init(const xchar::Init& init, const Stamp& at, Terms& sender);
  void note_response(const Message& message, const xchar::Response& response);
  void note_update(const Message& message, const xchar::Update& update);
  void note_error(const Message& message);
  void note_answer(const Message& message);

  std::array<Terms, 2> ends_;
};

// What is remembered of a message that belongs to no RPC, but that an RDMA_ERROR may answer all the same: an
// RDMA2_OPTIONAL, an RDMA_DONE, or one whose direction nothing shows. Unset where the message is none of
// these, or its fixed words were not captured.
std::optional<Aside> aside_of(const Message& message);

// The newest message, of either end, that was answered.
inline std::optional<Stamp> newest_heard(const Characteristics& characteristics) {
  const std::optional<Stamp>& a = characteristics.of(Side::a).heard;
  const std::optional<Stamp>& b = characteristics.of(Side::b).heard;
  return !a || (b && captured_before(*a, *b)) ? b : a;
}

}  // namespace steertag::history
