#include "rdma/roce/retransmissions.h"

#include "rdma/roce/order_watch.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

Retransmissions::Run Retransmissions::take(const Packet& packet, const Stamp& at, uint32_t expected,
                                           uint32_t confirmed) {
  listener_.on_retransmission(from_, at);
  const std::optional<Copies::Changed> changed = copies_.compare(packet, at);
  // Where a copy in between was damaged, the first may have been.
  if (changed && (changed->first.intact || !suspects_.any_wrong(packet.psn))) {
    report(changed->first, changed->second, packet, confirmed);
  }
  if (packet.psn == confirmed) {
    suspects_.sent_again(packet, at);
  }
  run_ = run_ != 0 && packet.psn == psn_add(run_last_, 1) ? run_ + 1 : 1;
  run_last_ = packet.psn;
  return run_ >= kStartedOverRun && psn_distance(packet.psn, expected) < kFarBehind ? Run::starts_over
                                                                                    : Run::goes_on;
}

void Retransmissions::take(const Held& held, const Packet& packet, const Stamp& at, uint32_t confirmed) {
  listener_.on_retransmission(from_, at);
  const std::optional<Copy> first = Copy::of(held.packet, held.at);
  const std::optional<Copy> second = Copy::of(packet, at);
  if (first && second && !second->same_as(*first)) {
    report(*first, *second, packet, confirmed);
  }
}

std::optional<Fault::WrongCrc> Retransmissions::wrong_icrc(uint32_t psn) const {
  const std::optional<OpFrames> refused = was_sent_again(psn) ? std::nullopt : operation(psn);
  const std::optional<Fault::WrongCrc> wrong =
      refused ? suspects_.wrong_at(refused->first) : suspects_.wrong_again(psn);
  return wrong && copies_.proven_before(wrong->at) ? wrong : std::nullopt;
}

void Retransmissions::report(const Copy& first, const Copy& second, const Packet& packet,
                             uint32_t confirmed) {
  Anomaly changed;
  changed.kind = Anomaly::Kind::changed_retransmission;
  changed.from = from_;
  changed.at = second.at;
  changed.position = packet.psn;
  changed.related = first.at;
  changed.operation = kind_of(packet.opcode);
  changed.expected = first.hash();
  changed.found = second.hash();
  changed.acknowledged = psn_distance(packet.psn, confirmed) < 0;
  changed.intact = first.intact && second.intact;
  listener_.on_anomaly(changed);
}

}  // namespace steertag::rdma::roce
