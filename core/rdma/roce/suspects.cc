#include "rdma/roce/suspects.h"

#include <algorithm>

#include "rdma/roce/icrc.h"

namespace steertag::rdma::roce {
namespace {

std::optional<IcrcCheck> check(const link::Packet& packet) {
  const std::optional<uint32_t> computed = icrc(packet), carried = stored_icrc(packet);
  return computed && carried && *carried != 0 ? std::optional(IcrcCheck{*computed, *carried}) : std::nullopt;
}

}  // namespace

void Suspects::copy(const Packet& packet, const Stamp& at) {
  const link::Packet& from = *packet.captured;
  if (from.carrier != link::Carrier::roce2 || from.network.empty() ||
      from.payload.size() < from.payload_length) {
    return;
  }
  const auto bth_offset = static_cast<size_t>(from.payload.data() - from.network.data());
  const size_t size = bth_offset + from.payload_length;
  if (size > kMostBytes || size > from.network.size()) {
    return;
  }
  Kept& kept = kept_[used_++ % kMost];
  kept.psn = packet.psn;
  kept.bth_offset = static_cast<uint32_t>(bth_offset);
  kept.at = at;
  kept.bytes.assign(from.network.begin(), from.network.begin() + static_cast<ptrdiff_t>(size));
}

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
  const bool again = again_ && again_->psn == psn;
  if (again && again_->right) {
    return std::nullopt;
  }
  for (size_t back = 1; back <= std::min<uint64_t>(used_, kMost); ++back) {
    const Kept& kept = kept_[(used_ - back) % kMost];
    if (kept.psn != psn) {
      continue;
    }
    link::Packet packet;
    packet.carrier = link::Carrier::roce2;
    packet.network = kept.bytes;
    packet.payload = slice(packet.network, kept.bth_offset);
    packet.payload_length = static_cast<uint32_t>(packet.payload.size());
    const std::optional<IcrcCheck> found = check(packet);
    if (!found || found->computed == found->carried) {
      return std::nullopt;
    }
    return Fault::WrongCrc{found->computed, found->carried, kept.at};
  }
  return again ? again_->wrong : std::nullopt;
}

size_t Suspects::bytes() const {
  size_t bytes = 0;
  for (const Kept& kept : kept_) {
    bytes += kept.bytes.capacity();
  }
  return bytes;
}

}  // namespace steertag::rdma::roce
