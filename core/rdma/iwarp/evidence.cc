#include "rdma/iwarp/evidence.h"

#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/rdmap.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {
namespace {

bool tag_fits(const Control& control) {
  return control.opcode() > Opcode::atomic_response || control.tagged() == wants_tag(control.opcode());
}

bool invalidates(Opcode opcode) {
  return opcode == Opcode::send_invalidate || opcode == Opcode::send_solicited_invalidate;
}

}  // namespace

bool can_be_segment(Bytes ulpdu, uint16_t length) {
  if (length < Control::kSize) {
    return false;
  }
  if (ulpdu.size() < Control::kSize) {
    return true;
  }
  const Control control{ulpdu[0], ulpdu[1]};
  const uint32_t header = control.tagged() ? TaggedHeader::kSize : UntaggedHeader::kSize;
  return length >= header && control.ddp_version() <= 1 && control.rdmap_version() <= 1 && tag_fits(control);
}

std::optional<unsigned> weigh(Bytes fpdu) {
  if (fpdu.size() < 2 + TaggedHeader::kSize) {
    return std::nullopt;
  }
  const auto length = wire::big_endian<uint16_t>(fpdu.data());
  const Control control{fpdu[2], fpdu[3]};
  const Opcode opcode = control.opcode();
  if (control.ddp_version() != 1 || control.ddp_reserved() != 0 || control.rdmap_version() != 1 ||
      control.rdmap_reserved() != 0 || opcode > Opcode::atomic_response || !tag_fits(control) ||
      !can_be_segment(fpdu.subspan(2), length)) {
    return std::nullopt;
  }
  if (control.tagged()) {
    return 14;
  }
  UntaggedHeader header;
  if (wire::read(fpdu.subspan(2), header) || header.queue != queue_of(opcode)) {
    return std::nullopt;
  }
  unsigned bits = 10 + 2 + 32;
  if (!invalidates(opcode)) {
    if (header.invalidate_stag != 0) {
      return std::nullopt;
    }
    bits += 16;  // of 32: zeros are common in any data
  }
  if (opcode == Opcode::read_request) {
    if (length != UntaggedHeader::kSize + ReadRequestHeader::kSize) {
      return std::nullopt;
    }
    bits += 16;
  }
  return bits;
}

}  // namespace steertag::rdma::iwarp
