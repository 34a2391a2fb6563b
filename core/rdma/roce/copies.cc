#include "rdma/roce/copies.h"

#include <isa-l/crc.h>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

namespace {

uint32_t digest(Bytes bytes) {
  return crc32_iscsi(const_cast<uint8_t*>(bytes.data()), static_cast<int>(bytes.size()), 0xFFFFFFFFu);
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

}  // namespace

std::optional<Copy> Copy::of(const Packet& packet, const Stamp& at) {
  if (packet.headers_cut || packet.malformed || packet.damaged()) {
    return std::nullopt;
  }
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
  return Copy{packet.psn,
              fields.digest(),
              digest(packet.payload),
              static_cast<uint32_t>(packet.payload.size()),
              at,
              starts_message(packet.opcode),
              ends_message(packet.opcode),
              packet.icrc.has_value()};
}

void Copies::add(const Copy& copy, uint32_t confirmed) {
  newest_.add(copy, [=](const Copy& oldest) { return psn_distance(oldest.psn, confirmed) < 0; });
}

const Copy* Copies::find(uint32_t psn) const {
  return newest_.find([=](const Copy& copy) { return copy.psn == psn; });
}

std::optional<OpFrames> Copies::operation(uint32_t psn) const {
  OpFrames frames;
  bool met = false;    // the packet itself
  bool ended = false;  // the end of its operation, as far as was looked back
  newest_.find([&](const Copy& copy) {
    const int32_t ahead = psn_distance(copy.psn, psn);
    if (!met && ahead >= 0 && (copy.ends || !ended)) {
      frames.last = copy.at;
      ended = true;
    }
    if (ahead <= 0 && (met || ahead == 0)) {
      met = true;
      frames.first = copy.at;
    }
    return met && copy.opens;
  });
  return met ? std::optional(frames) : std::nullopt;
}

}  // namespace steertag::rdma::roce
