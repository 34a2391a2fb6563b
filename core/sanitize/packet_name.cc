#include "sanitize/packet_name.h"

#include <array>

#include "rdma/roce/packet.h"

namespace steertag::sanitize {

uint64_t hash(const Key& key, const std::optional<PacketName>& name, Bytes payload) {
  const uint64_t content = key.hash(payload);
  if (!name) {
    return content;
  }
  std::array<uint8_t, 17> all{};
  auto next = all.begin();
  const auto put = [&](uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) {
      *next++ = static_cast<uint8_t>(value);
    }
  };
  put(content, 8);
  put(name->dest_qp, 4);
  put(name->psn, 4);
  put(static_cast<uint64_t>(name->operation), 1);
  return key.hash(all);
}

void PacketNames::add(const Stamp& at, const link::Packet& packet) {
  rdma::roce::Bth bth;
  if (packet.carrier == link::Carrier::tcp ||
      !rdma::roce::read_bth(packet.payload, packet.payload_length, bth)) {
    return;
  }
  const Frame frame(at.file, at.number);
  if (!names_.try_emplace(frame, PacketName{bth.dest_qp, bth.psn, shape(bth.opcode).operation}).second) {
    return;
  }
  frames_.push_back(frame);
  if (frames_.size() > kMost) {
    names_.erase(frames_.front());
    frames_.pop_front();
  }
}

std::optional<PacketName> PacketNames::find(const Stamp& at) const {
  const auto found = names_.find({at.file, at.number});
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace steertag::sanitize
