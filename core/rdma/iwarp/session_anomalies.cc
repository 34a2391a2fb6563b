// What a Session notices about TCP and MPA: bytes that are missing or change,
// the setup, markers, pad and CRC of FPDUs (RFC 5044 §4 and §7).
#include <utility>

#include "rdma/iwarp/session.h"

namespace steertag::rdma::iwarp {

using Kind = Anomaly::Kind;

Anomaly Session::departure(Kind kind, unsigned from, const Stamp& at, uint64_t position) const {
  Anomaly anomaly;
  anomaly.kind = kind;
  anomaly.from = side(from);
  anomaly.at = at;
  anomaly.position = position;
  return anomaly;
}

// --- TCP ---

void Session::report_late(unsigned from, const link::StreamBytes& bytes, bool again) {
  Late late;
  late.from = side(from);
  late.begin = bytes.offset;
  late.again = again;
  late.at = bytes.at;
  if (!again) {
    late.since = tcp_.hole_shown(from);
  } else if (const SegmentCopy* first = half(from).copies.find(bytes.offset, bytes.length)) {
    late.since = first->at;
  }
  arrivals->on_late(late);
}

void Session::on_arrival(unsigned from, const link::StreamBytes& bytes, bool again) {
  if (over()) {
    return;
  }
  if (arrivals != nullptr && (again || bytes.offset < tcp_.sent(from))) [[unlikely]] {
    report_late(from, bytes, again);
  }
  Half& h = half(from);
  const SegmentCopy copy = SegmentCopy::of(bytes, digest_);
  if (!again) {
    return h.copies.add(copy, tcp_.acknowledged(from));
  }
  // What fills a hole that was given up is late, not sent again.
  if (proof != Proof::rdma ||
      (bytes.offset < h.given_up && h.copies.find(bytes.offset, bytes.length) == nullptr)) {
    return;
  }
  listener_->on_retransmission(side(from), bytes.at);
  const std::optional<SentTwice> twice = h.copies.add_again(copy, tcp_.acknowledged(from));
  if (twice && !twice->second.same_as(twice->first)) {
    Anomaly changed = departure(Kind::changed_retransmission, from, bytes.at, twice->first.offset);
    changed.related = twice->first.at;
    changed.expected = twice->first.hash;
    changed.found = twice->second.hash;
    changed.acknowledged = twice->acknowledged;
    listener_->on_anomaly(changed);
  }
}

void Session::add_missing(unsigned from, const link::StreamHole& hole, const Stamp& at) {
  Half& h = half(from);
  h.given_up = hole.end;
  if (proof == Proof::rdma) {
    const MissingHole missing{hole.begin, hole.end, hole.end - hole.begin, at, hole.proof};
    if (const std::optional<Anomaly> before = h.missing.add(side(from), missing)) {
      listener_->on_anomaly(*before);
    }
  }
}

void Session::report_missing(unsigned from) {
  if (half(from).missing.waits()) [[unlikely]] {
    listener_->on_anomaly(*half(from).missing.take(side(from)));
  }
}

// --- the setup ---

// Nothing of the peer was there to answer when the setup frame was sent.
bool Session::speaks_first(unsigned from) const {
  const unsigned peer = 1 - from;
  return tcp_.from_start(from) && halves_[from].opening.begin() == 0 && tcp_.from_start(peer) &&
         tcp_.acknowledged(peer) == 0 && tcp_.all_acknowledged(peer);
}

// The initiator is the end that speaks first (RFC 5044 §7.1.2), whatever key it
// says it with. Keys count where the capture does not show the beginning. Returns
// whether the setup frame of `from` is to be a Request.
bool Session::settle_initiator(unsigned from, const Stamp& at) {
  half(from).opened_at = at;
  const Half& peer = half(1 - from);
  const bool request = half(from).opening.like_request();
  if (!initiator) {
    initiator = side(speaks_first(from) || request ? from : 1 - from);
  } else if (initiator == side(from) && !request && peer.opening.state() == Opening::State::complete) {
    initiator = side(1 - from);  // two Replies: the first of them was the Request
    std::swap(mpa.request_seen, mpa.reply_seen);
    std::swap(mpa.request_revision, mpa.reply_revision);
    listener_->on_anomaly(departure(Kind::mpa_key, 1 - from, peer.opened_at, peer.opening.begin()));
  }
  return initiator == side(from);
}

void Session::watch_setup(unsigned from, const SetupFrame& frame) {
  const Stamp& at = half(from).opened_at;
  const uint64_t position = half(from).opening.begin();
  const bool request = initiator == side(from);
  if (!half(from).opening.has_key_of(request)) {
    listener_->on_anomaly(departure(Kind::mpa_key, from, at, position));
  }
  const bool bounded = !request && mpa.request_revision.has_value();
  if (frame.revision == 0 || (bounded && frame.revision > *mpa.request_revision)) {
    Anomaly revision = departure(Kind::mpa_revision, from, at, position);
    revision.expected = bounded ? *mpa.request_revision : 1;
    revision.found = frame.revision;
    listener_->on_anomaly(revision);
  }
  if (half(from).opening.oversized()) {
    Anomaly length = departure(Kind::mpa_private_data_length, from, at, position);
    length.expected = SetupFrame::kMaxPrivateData;
    length.found = frame.pd_length;
    listener_->on_anomaly(length);
  }
}

// The peer opened with an MPA frame; what stands at the start of this direction
// is none.
void Session::watch_key(unsigned from, const Stamp& at) {
  const Half& h = half(from);
  if (proof == Proof::rdma && initiator == side(1 - from) && half(1 - from).anchored &&
      tcp_.from_start(from) && h.opening.begin() == 0 && !h.opening.cut()) {
    listener_->on_anomaly(departure(Kind::mpa_key, from, at, 0));
  }
}

// --- FPDUs ---

void Session::check_crc(const Fpdu& fpdu) {
  Half& h = half(current_);
  const FpduCrc crc = fpdu_crc(fpdu.raw);
  ++counters.crc_checked;
  if (crc.computed == crc.carried) {
    h.crc_seen = true;
    return;
  }
  if (!mpa.crc && !h.crc_seen) {
    return;  // nothing says that it means anything
  }
  ++counters.crc_bad;
  if (!counters.first_crc_bad) {
    counters.first_crc_bad = fpdu.frames.back();
  }
  Anomaly wrong = departure(Kind::mpa_crc, current_, fpdu.frames.back(), fpdu.offset);
  wrong.expected = crc.computed;
  wrong.found = crc.carried;
  listener_->on_anomaly(wrong);
}

void Session::watch_fpdu(const Fpdu& fpdu) {
  Half& h = half(current_);
  const Half& peer = half(1 - current_);
  if (h.gapless && !h.fpdu_seen && initiator == side(1 - current_) && peer.gapless && !peer.fpdu_seen) {
    listener_->on_anomaly(departure(Kind::mpa_early_fpdu, current_, fpdu.frames.front(), fpdu.offset));
  }
  h.fpdu_seen = true;
  if (!h.gapless) {
    return;
  }
  if (const std::optional<WrongMarker> marker = find_wrong_marker(fpdu.raw, fpdu.offset, h.markers)) {
    Anomaly wrong = departure(Kind::mpa_marker, current_, fpdu.frames.back(), marker->position);
    wrong.expected = marker->expected;
    wrong.found = marker->found;
    listener_->on_anomaly(wrong);
  }
  uint32_t pad = 0;
  for (const uint8_t byte : fpdu.pad) {
    pad = pad << 8 | byte;
  }
  if (pad != 0) {
    Anomaly wrong = departure(Kind::mpa_pad, current_, fpdu.frames.back(), fpdu.offset);
    wrong.found = pad;
    listener_->on_anomaly(wrong);
  }
}

// Nothing is missing since the setup, so an FPDU starts here: its DDP segment
// says what is wrong with it.
void Session::on_misfit(const Fpdu& fpdu) {
  if (!over()) {
    report_unit(Unit::Kind::misfit, current_, fpdu.offset, fpdu.size, fpdu.raw);
  }
  if (over() || !half(current_).gapless) {
    return;
  }
  const bool headless = fpdu.ulpdu_length < Control::kSize;
  if (!headless && fpdu.ulpdu.size() < Control::kSize) {
    return;
  }
  const Control control = headless ? Control{} : Control{fpdu.ulpdu[0], fpdu.ulpdu[1]};
  const uint32_t header = control.tagged() ? TaggedHeader::kSize : UntaggedHeader::kSize;
  Anomaly wrong = departure(Kind::mpa_length, current_, fpdu.frames.back(), fpdu.offset);
  if (headless || fpdu.ulpdu_length < header) {
    wrong.expected = header;
    wrong.found = fpdu.ulpdu_length;
  } else if (control.ddp_version() > 1) {
    wrong.kind = Kind::ddp_version;
    wrong.expected = 1;
    wrong.found = control.ddp_version();
  } else if (control.rdmap_version() > 1) {
    wrong.kind = Kind::rdmap_version;
    wrong.expected = 1;
    wrong.found = control.rdmap_version();
  } else {
    wrong.kind = Kind::tagged_flag;
    wrong.expected = wants_tag(control.opcode()) ? 1 : 0;
    wrong.found = control.tagged() ? 1 : 0;
  }
  listener_->on_anomaly(wrong);
}

}  // namespace steertag::rdma::iwarp
