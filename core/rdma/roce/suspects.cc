#include "rdma/roce/suspects.h"

#include "rdma/roce/icrc.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

bool can_be_checked(const Packet& packet) {
  return !packet.icrc && packet.captured != nullptr && packet.captured->carrier == link::Carrier::roce2;
}

// The ICRC where it is wrong. Precondition: can_be_checked().
std::optional<Fault::WrongCrc> wrong_icrc(const Packet& packet, const Stamp& at) {
  const std::optional<uint32_t> computed = icrc(*packet.captured), carried = stored_icrc(*packet.captured);
  return computed && carried && *carried != 0 && *computed != *carried
             ? std::optional(Fault::WrongCrc{*computed, *carried, at})
             : std::nullopt;
}

}  // namespace

void Suspects::sent(const Packet& packet, const Stamp& at, uint32_t confirmed) {
  const bool open = opening_ && psn_distance(opening_->psn, confirmed) >= 0;
  if (open || !can_be_checked(packet)) {
    return;
  }
  if (const std::optional<Fault::WrongCrc> wrong = wrong_icrc(packet, at)) {
    opening_ = Opening{packet.psn, *wrong};
  }
}

std::optional<Fault::WrongCrc> Suspects::wrong_at(const Stamp& at) const {
  return opening_ && opening_->wrong.at == at ? std::optional(opening_->wrong) : std::nullopt;
}

void Suspects::sent_again(const Packet& packet, const Stamp& at) {
  if (!can_be_checked(packet)) {
    return;
  }
  if (!again_ || again_->psn != packet.psn) {
    again_ = Again{.psn = packet.psn, .right = false, .wrong = {}};
  }
  const std::optional<Fault::WrongCrc> wrong = wrong_icrc(packet, at);
  if (!wrong) {
    again_->right = true;  // or it may be
  } else if (!again_->wrong) {
    again_->wrong = wrong;
  }
}

std::optional<Fault::WrongCrc> Suspects::wrong_again(uint32_t psn) const {
  return was_sent_again(psn) && !again_->right ? again_->wrong : std::nullopt;
}

}  // namespace steertag::rdma::roce
