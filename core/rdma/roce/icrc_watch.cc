#include "rdma/roce/icrc_watch.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

bool IcrcWatch::drops(const Packet& packet, const Stamp& at) {
  add(*packet.icrc, packet.psn, at);
  if (!packet.damaged() || !right_) {
    return false;
  }
  if (is_request(packet.opcode)) {
    if (dropped_.size() == kMaxDropped) {
      dropped_.erase(dropped_.begin());
    }
    dropped_.push_back(packet.psn);
  }
  return true;
}

void IcrcWatch::check(const IcrcCheck& icrc, const Stamp& at) {
  if (icrc.computed != icrc.carried) {
    add(icrc, 0, at);
  }
}

void IcrcWatch::add(const IcrcCheck& icrc, uint32_t psn, const Stamp& at) {
  if (icrc.computed == icrc.carried) [[likely]] {
    right_ = true;
    report_waiting();
    return;
  }
  Anomaly wrong;
  wrong.kind = Anomaly::Kind::icrc;
  wrong.from = from_;
  wrong.at = at;
  wrong.position = psn;
  wrong.expected = icrc.computed;
  wrong.found = icrc.carried;
  if (right_) {
    listener_.on_anomaly(wrong);
    return;
  }
  if (!waiting_) {
    waiting_ = std::make_unique<Anomaly>(wrong);
    waiting_->count = 0;
  }
  ++waiting_->count;
  waiting_->alike += icrc.carried == waiting_->found ? 1 : 0;
}

void IcrcWatch::report_waiting() {
  if (waiting_) {
    const Anomaly reported = *waiting_;
    waiting_.reset();
    listener_.on_anomaly(reported);
  }
}

void IcrcWatch::finish() {
  if (waiting_ && !right_) {
    waiting_->kind = Anomaly::Kind::icrc_never;
  }
  report_waiting();
}

uint64_t IcrcWatch::dropped(uint32_t begin, uint32_t end) const {
  return static_cast<uint64_t>(std::count_if(dropped_.begin(), dropped_.end(), [=](uint32_t psn) {
    return psn_distance(psn, begin) >= 0 && psn_distance(end, psn) > 0;
  }));
}

}  // namespace steertag::rdma::roce
