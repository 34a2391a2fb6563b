#include "rdma/roce/icrc_watch.h"

#include <utility>

namespace steertag::rdma::roce {

std::optional<Anomaly> IcrcWatch::add(Side from, const Packet& packet, const Stamp& at) {
  if (!packet.damaged()) {
    right_ = true;
    return finish();
  }
  Anomaly anomaly;
  anomaly.kind = Anomaly::Kind::icrc;
  anomaly.from = from;
  anomaly.at = at;
  anomaly.position = packet.psn;
  anomaly.expected = packet.icrc->computed;
  anomaly.found = packet.icrc->carried;
  if (right_) {
    return anomaly;
  }
  if (!waiting_) {
    waiting_ = anomaly;
    waiting_->count = 0;
  }
  ++waiting_->count;
  waiting_->alike += packet.icrc->carried == waiting_->found ? 1 : 0;
  return std::nullopt;
}

std::optional<Anomaly> IcrcWatch::finish() {
  if (waiting_ && !right_) {
    waiting_->kind = Anomaly::Kind::icrc_never;
  }
  return std::exchange(waiting_, std::nullopt);
}

}  // namespace steertag::rdma::roce
