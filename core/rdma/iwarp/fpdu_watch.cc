#include "rdma/iwarp/fpdu_watch.h"

#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/rdmap.h"
#include "rdma/iwarp/terminate.h"

namespace steertag::rdma::iwarp {

using Kind = Anomaly::Kind;

void FpduWatch::report(Kind kind, Side from, const Stamp& at, uint64_t position, uint64_t expected,
                       uint64_t found) const {
  listener_->on_anomaly(
      {.kind = kind, .from = from, .at = at, .position = position, .expected = expected, .found = found});
}

bool FpduWatch::check_crc(Side from, const Fpdu& fpdu, Negotiated negotiated, Report reports) {
  Half& h = halves_[index(from)];
  const FpduCrc crc = fpdu_crc(fpdu.raw);
  if (crc.computed == crc.carried) {
    h.crc_seen = true;
    return false;
  }
  if (!negotiated && !h.crc_seen) {
    return false;  // nothing says that it means anything
  }
  const Stamp& at = fpdu.frames.back();
  if (h.crc_seen || crc.carried != 0) {  // else the adapter may fill it in behind the tap
    h.wrong_crc = {crc.computed, crc.carried, at};
  } else if (negotiated.value_or(false) && !h.begun && h.gapless) {
    h.unfilled = {crc.computed, crc.carried, at};
  }
  if (reports == Report::yes) {
    report(Kind::mpa_crc, from, at, fpdu.offset, crc.computed, crc.carried);
  }
  return true;
}

void FpduWatch::explain(Side from, Fault& fault) const {
  const Half& peer = halves_[index(other(from))];
  if (is_crc_error(fault)) {
    // Who has sent nothing before has not accepted a single one.
    fault.wrong_crc = peer.wrong_crc || halves_[index(from)].several ? peer.wrong_crc : peer.unfilled;
    fault.crcs_seen = peer.crc_seen;
    fault.crcs_cut = !peer.wrong_crc && peer.cut;
    fault.crcs_right = !peer.wrong_crc && peer.crc_seen && peer.gapless && !peer.cut;
  }
}

void FpduWatch::on_fpdu(Side from, const Fpdu& fpdu, const Markers& markers, std::optional<Side> initiator) {
  Half& h = halves_[index(from)];
  const Half& peer = halves_[index(other(from))];
  if (h.gapless && !h.begun && initiator == other(from) && peer.gapless && !peer.begun) {
    report(Kind::mpa_early_fpdu, from, fpdu.frames.front(), fpdu.offset, 0, 0);
  }
  h.several |= h.begun;
  h.begun = true;
  if (!h.gapless) {
    return;
  }
  if (const std::optional<WrongMarker> marker = find_wrong_marker(fpdu.raw, fpdu.offset, markers)) {
    report(Kind::mpa_marker, from, fpdu.frames.back(), marker->position, marker->expected, marker->found);
  }
  uint32_t pad = 0;
  for (const uint8_t byte : fpdu.pad) {
    pad = pad << 8 | byte;
  }
  if (pad != 0) {
    report(Kind::mpa_pad, from, fpdu.frames.back(), fpdu.offset, 0, pad);
  }
}

// Nothing is missing since the setup, so an FPDU starts here: its DDP segment
// says what is wrong with it.
void FpduWatch::on_misfit(Side from, const Fpdu& fpdu) const {
  const bool headless = fpdu.ulpdu_length < Control::kSize;
  if (!halves_[index(from)].gapless || (!headless && fpdu.ulpdu.size() < Control::kSize)) {
    return;
  }
  const Control control = headless ? Control{} : Control{fpdu.ulpdu[0], fpdu.ulpdu[1]};
  const uint32_t header = control.tagged() ? TaggedHeader::kSize : UntaggedHeader::kSize;
  const Stamp& at = fpdu.frames.back();
  if (headless || fpdu.ulpdu_length < header) {
    report(Kind::mpa_length, from, at, fpdu.offset, header, fpdu.ulpdu_length);
  } else if (control.ddp_version() > 1) {
    report(Kind::ddp_version, from, at, fpdu.offset, 1, control.ddp_version());
  } else if (control.rdmap_version() > 1) {
    report(Kind::rdmap_version, from, at, fpdu.offset, 1, control.rdmap_version());
  } else {
    report(Kind::tagged_flag, from, at, fpdu.offset, wants_tag(control.opcode()) ? 1 : 0,
           control.tagged() ? 1 : 0);
  }
}

}  // namespace steertag::rdma::iwarp
