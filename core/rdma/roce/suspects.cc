#include "rdma/roce/suspects.h"

#include "rdma/roce/icrc.h"

namespace steertag::rdma::roce {
namespace {

std::optional<IcrcCheck> check(const link::Packet& packet) {
  const std::optional<uint32_t> computed = icrc(packet), carried = stored_icrc(packet);
  return computed && carried && *carried != 0 ? std::optional(IcrcCheck{*computed, *carried}) : std::nullopt;
}

}  // namespace

void Suspects::sent_again(const Packet& packet, const Stamp& at) {
  if (packet.icrc || packet.captured == nullptr || packet.captured->carrier != link::Carrier::roce2) {
    return;
  }
  const std::optional<IcrcCheck> found = check(*packet.captured);
  if (!again_ || again_->psn != packet.psn) {
    again_ = Again{.psn = packet.psn, .right = false, .wrong = {}};
  }
  if (!found || found->computed == found->carried) {
    again_->right = true;  // or it may be
  } else if (!again_->wrong) {
    again_->wrong = {found->computed, found->carried, at};
  }
}

std::optional<Fault::WrongCrc> Suspects::wrong(uint32_t psn) const {
  return was_sent_again(psn) && !again_->right ? again_->wrong : std::nullopt;
}

}  // namespace steertag::rdma::roce
