#include "rdma/roce/copies.h"

#include "base/crc.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

uint32_t digest(Bytes bytes) {
  return base::crc32c_register(0xFFFFFFFFu, bytes);
}

// The fields that a retransmission repeats, mixed one after the other.
class Fields {
 public:
  void add(uint64_t value) {
    mixed_ = (mixed_ ^ value) * 0x9E3779B97F4A7C15u;
    mixed_ ^= mixed_ >> 29;
  }
  uint32_t digest() const { return static_cast<uint32_t>(mixed_ >> 32 ^ mixed_); }

 private:
  uint64_t mixed_ = 0;
};

uint32_t digest_headers(const Packet& packet) {
  Fields fields;
  fields.add(uint64_t{packet.payload_length} << 8 | static_cast<uint8_t>(packet.opcode));
  if (packet.reth) {
    fields.add(packet.reth->va);
    fields.add(uint64_t{packet.reth->r_key} << 32 | packet.reth->length);
  }
  if (packet.atomic) {
    fields.add(packet.atomic->va);
    fields.add(packet.atomic->r_key);
    fields.add(packet.atomic->swap_or_add);
    fields.add(packet.atomic->compare);
  }
  if (packet.immediate) {
    fields.add(*packet.immediate);
  }
  if (packet.ieth) {
    fields.add(packet.ieth->r_key);
  }
  return fields.digest();
}

}  // namespace

void Copy::set(const Packet& packet, const Stamp& stamp, const std::optional<Seal>& with) {
  psn = packet.psn;
  headers = digest_headers(packet);
  captured = static_cast<uint32_t>(packet.payload.size());
  at = stamp;
  sealed = with.has_value();
  if (sealed) {
    payload = 0;
    seal = *with;
  } else {
    payload = digest(packet.payload);
    seal = {};
  }
  opens = starts_message(packet.opcode);
  ends = ends_message(packet.opcode);
  intact = packet.icrc.has_value();
}

std::optional<Copy> Copy::of(const Packet& packet, const Stamp& at, const std::optional<Seal>& with) {
  std::optional<Copy> copy;
  if (possible(packet)) {
    copy.emplace().set(packet, at, with);
  }
  return copy;
}

bool Copy::same_as(const Copy& other) const {
  if (headers != other.headers || captured != other.captured) {
    return headers == other.headers;
  }
  return sealed ? seal.same_as(other.seal) : payload == other.payload;
}

// Does the packet's ICRC stand for its bytes? A tap at the sender may see it before the hardware has filled
// it in, so it is computed until one is right.
std::optional<Seal> Copies::seal(const Packet& packet, const Stamp& at) {
  if (packet.captured == nullptr) {
    return packet.seal;
  }
  if (packet.icrc || (proof_ && proof_->same_tap(at))) [[likely]] {
    return Seal::of(*packet.captured);
  }
  if (doubts_ >= kDoubts && doubts_ % kDoubtful != 0) {
    ++doubts_;
    return std::nullopt;
  }
  const std::optional<Seal> verified = verified_seal(*packet.captured);
  if (verified) {
    proof_ = at;
    doubts_ = 0;
  } else {
    ++doubts_;
  }
  return verified;
}

void Copies::add(const Packet& packet, const Stamp& at, uint32_t confirmed) {
  const std::optional<Seal> sealed = seal(packet, at);
  if (Copy::possible(packet)) {
    const auto done = [=](const Copy& oldest) { return psn_distance(oldest.psn, confirmed) < 0; };
    newest_.next(done).set(packet, at, sealed);
  }
}

std::optional<Copies::Changed> Copies::compare(const Packet& again, const Stamp& at) const {
  const size_t place = find(again.psn);
  if (place == newest_.size()) {
    return std::nullopt;
  }
  const Copy& first = newest_[place];
  std::optional<Seal> sealed;
  if (first.sealed) {
    sealed = again.captured == nullptr ? again.seal : verified_seal(*again.captured);
    if (!sealed && again.payload.size() == again.payload_length) {
      return std::nullopt;  // damaged, as it seems
    }
  }
  const std::optional<Copy> second = Copy::of(again, at, sealed);
  if (!second || second->same_as(first)) {
    return std::nullopt;
  }
  return Changed{first, *second};
}

size_t Copies::find(uint32_t psn) const {
  const size_t place = newest_.partition([=](const Copy& copy) { return psn_distance(copy.psn, psn) < 0; });
  return place < newest_.size() && newest_[place].psn == psn ? place : newest_.size();
}

std::optional<OpFrames> Copies::operation(uint32_t psn) const {
  const size_t place = find(psn);
  if (place == newest_.size()) {
    return std::nullopt;
  }
  size_t first = place;
  while (first != 0 && !newest_[first].opens) {
    --first;
  }
  size_t last = place;
  while (last + 1 < newest_.size() && !newest_[last].ends) {
    ++last;
  }
  return OpFrames{newest_[first].at, newest_[last].at};
}

}  // namespace steertag::rdma::roce
