#include "rdma/iwarp/handshake.h"

#include <utility>

namespace steertag::rdma::iwarp {

using Kind = Anomaly::Kind;

void Handshake::report(Kind kind, Side from, uint64_t expected, uint64_t found) {
  const Stamp& at = completed_[index(from)];
  const uint64_t position = opening(from).begin();
  facts_.reply_invalid |= initiator_ != from;
  listener_->on_anomaly(
      {.kind = kind, .from = from, .at = at, .position = position, .expected = expected, .found = found});
}

uint32_t Handshake::add(Side from, const link::StreamBytes& bytes) {
  const uint32_t used = openings_[index(from)].add(bytes);
  facts_.begun[index(from)] = openings_[index(from)].state() == Opening::State::incomplete;
  return used;
}

// The initiator is the end that speaks first (RFC 5044 §7.1.2), whatever key it
// says it with. Keys count where the capture does not show the beginning.
void Handshake::settle_initiator(Side from, bool speaks_first) {
  const bool request = opening(from).like_request();
  const Side peer = other(from);
  if (!initiator_) {
    initiator_ = speaks_first || request ? from : peer;
  } else if (initiator_ == from && !request && opening(peer).state() == Opening::State::complete) {
    initiator_ = peer;  // two Replies: the first of them was the Request
    std::swap(facts_.request_seen, facts_.reply_seen);
    std::swap(facts_.request_revision, facts_.reply_revision);
    report(Kind::mpa_key, peer, 0, 0);
  }
}

void Handshake::watch(Side from) {
  const SetupFrame& frame = opening(from).frame();
  const bool request = initiator_ == from;
  if (!opening(from).has_key_of(request)) {
    report(Kind::mpa_key, from, 0, 0);
  }
  const bool bounded = !request && facts_.request_revision.has_value();
  if (frame.revision == 0 || (bounded && frame.revision > *facts_.request_revision)) {
    report(Kind::mpa_revision, from, bounded ? *facts_.request_revision : 1, frame.revision);
  }
  if (opening(from).oversized()) {
    report(Kind::mpa_private_data_length, from, SetupFrame::kMaxPrivateData, frame.pd_length);
  }
}

// RFC 5044 §7.1: the Request says what its sender wants to receive, and so does
// the Reply; a CRC is used where either wants it.
void Handshake::complete(Side from, bool speaks_first, const Stamp& at) {
  completed_[index(from)] = at;
  settle_initiator(from, speaks_first);
  watch(from);
  const SetupFrame& frame = opening(from).frame();
  const bool request = initiator_ == from;
  (request ? facts_.request_seen : facts_.reply_seen) = true;
  (request ? facts_.request_revision : facts_.reply_revision) = frame.revision;
  facts_.markers[index(other(from))] = frame.markers();
  if (frame.crc()) {
    facts_.crc = true;
  } else if (facts_.request_seen && facts_.reply_seen && !facts_.crc) {
    facts_.crc = false;
  }
  const SetupHalf setup = opening(from).setup();
  facts_.ord[index(from)] = setup.initiator_depth;
  facts_.ird[index(from)] = setup.responder_resources;
  facts_.rejected |= !request && frame.rejected();
}

// The peer opened with an MPA frame, so one was due here.
void Handshake::refuse(Side from, const Stamp& at) {
  const Opening& peer = opening(other(from));
  if (initiator_ == other(from) && peer.state() == Opening::State::complete && !opening(from).cut()) {
    facts_.reply_invalid = true;
    listener_->on_anomaly({.kind = Kind::mpa_key, .from = from, .at = at});
  }
}

}  // namespace steertag::rdma::iwarp
