#include <utility>

#include "rdma/iwarp/evidence.h"
#include "rdma/iwarp/session.h"

namespace steertag::rdma::iwarp {
namespace {

// Segments with data in which no FPDU was found: enough in each direction, or in
// both together, to say that there are none.
constexpr uint32_t kGiveUpEach = 64;
constexpr uint32_t kGiveUpTogether = 256;

// How often what a resynchronisation kept may lose the framing again before the
// rest of it is thrown away.
constexpr unsigned kMaxReplayDepth = 8;

}  // namespace

void Session::lose(unsigned from) {
  Half& h = half(from);
  if (!h.anchored) {
    h.aligned = h.framer.boundary();
  }
  h.phase = Phase::searching;
  h.interrupted = true;
  h.resync.clear();
}

void Session::gap(unsigned from, const Stamp& at) {
  half(from).gapless = false;
  messages_.on_gap(side(from));
  listener_->on_gap(side(from), at);
}

void Session::on_hole(unsigned from, const link::StreamHole& hole, const Stamp& at) {
  if (over()) {
    return;
  }
  Half& h = half(from);
  add_missing(from, hole, at);
  gap(from, at);
  current_ = from;
  switch (h.phase) {
    case Phase::framed:
      if (!h.framer.on_hole(hole.end, *this)) {
        lose(from);
      }
      return;
    case Phase::opening:
    case Phase::waiting:
      h.phase = Phase::searching;
      return h.opening.release();
    case Phase::searching:
      return;  // Resync sees it from the offsets
  }
}

void Session::search(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  const bool proven = proof == Proof::rdma;
  const std::optional<uint64_t> found = h.resync.on_bytes(bytes, {h.markers, h.aligned, mpa.crc, proven});
  if (!found) {
    ++h.searched;
    const uint32_t peer = half(1 - from).searched;
    if (!proven && !named_port_ &&
        ((h.searched >= kGiveUpEach && peer >= kGiveUpEach) || h.searched + peer >= kGiveUpTogether)) {
      proof = Proof::not_rdma;
    }
    if (!h.anchored && h.searched % kGiveUpEach == 0) {
      h.aligned.reset();  // perhaps an earlier search was misled
    }
    return;
  }
  proof = Proof::rdma;
  h.searched = 0;
  counters.resyncs += h.interrupted ? 1 : 0;
  h.aligned = h.anchored ? h.aligned : found;
  h.phase = Phase::framed;
  h.framer.begin(*found, h.markers);
  messages_.on_gap(side(from));  // what stands before it was not read
  if (replay_depth_ >= kMaxReplayDepth) {
    h.phase = Phase::searching;
    return h.resync.clear();
  }
  ++replay_depth_;
  const Resync kept = std::exchange(h.resync, Resync{});
  uint64_t position = *found;
  kept.replay(*found, [&](const link::StreamBytes& piece) {
    if (piece.offset > position && !over()) {
      current_ = from;
      if (h.phase == Phase::framed && !h.framer.on_hole(piece.offset, *this)) {
        lose(from);
      }
    }
    position = piece.end();
    on_bytes(from, piece);
  });
  --replay_depth_;
}

// Where the setup is not in the capture, nothing says where markers stand, if any do (RFC 5044 §4.3), and
// FPDUs are read as if there were none. One that has a marker ends later than its length says, so it is
// believed if an FPDU or nothing stands behind it in what arrived with it, or if its CRC is right.
bool Session::fits_without_markers(const Fpdu& fpdu) const {
  if (arriving_ == nullptr) {
    return true;
  }
  const uint64_t end = fpdu.offset + fpdu.size;
  const uint64_t left = arriving_->end() - end;
  const Bytes behind = slice(arriving_->captured, end - arriving_->offset);
  const bool fits = behind.size() >= kWeighedBytes ? weigh(behind).has_value()
                                                   : left == 0 || left >= kWeighedBytes;  // none is shorter
  return fits || (fpdu.raw.size() == fpdu.size && crc_matches(fpdu.raw));
}

void Session::give_up_waiting(const Stamp& at) {
  if (!over()) {
    tcp_.give_up_held(at, *this);
    report_missing(0);
    report_missing(1);
    release_if_over();
  }
}

void Session::shrink() {
  tcp_.shrink();
  for (Half& h : halves_) {
    if (h.phase != Phase::searching) {
      h.resync.release();
    }
  }
}

size_t Session::held_bytes() const {
  size_t bytes = tcp_.held_bytes();
  for (const Half& h : halves_) {
    bytes += h.framer.bytes() + h.resync.bytes();
  }
  return bytes;
}

size_t Session::bytes() const {
  size_t bytes = sizeof(Session) + held_bytes() + messages_.bytes();
  for (const Half& h : halves_) {
    bytes += h.copies.bytes();
  }
  return bytes;
}

}  // namespace steertag::rdma::iwarp
