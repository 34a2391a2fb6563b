#include "sanitize/fpdu.h"

#include <algorithm>

#include "rdma/iwarp/evidence.h"
#include "rdma/iwarp/rdmap.h"
#include "wire/reader.h"

namespace steertag::sanitize {

namespace iwarp = rdma::iwarp;

namespace {

// Whether it quotes the header of a Read Request. Behind that of anything else the quoted packet's data
// begin.
bool quotes_read_request(const iwarp::TerminateHeader& header) {
  return header.has_rdmap() && header.has_ddp() && !header.terminated.tagged() &&
         header.terminated.opcode() == iwarp::Opcode::read_request &&
         header.untagged.queue == iwarp::Queue::read_request;
}

// Of a Terminate, the bytes that its header control says it has (RFC 5040 §4.8). Where its first word is of
// no layer, or has reserved bits, nothing else in it is certain.
uint32_t terminate_size(Bytes payload) {
  iwarp::TerminateHeader header;
  wire::read(payload, header);
  constexpr uint32_t kControl = 4, kSegmentLength = 2, kLayers = 3;
  constexpr uint8_t kHeaders =
      iwarp::TerminateHeader::kLength | iwarp::TerminateHeader::kDdp | iwarp::TerminateHeader::kRdmap;
  if (header.layer() >= kLayers || (header.header_control & ~kHeaders) != 0 || header.reserved != 0) {
    return kControl;
  }
  const bool length =
      (header.header_control & (iwarp::TerminateHeader::kLength | iwarp::TerminateHeader::kDdp)) != 0;
  const uint32_t ddp = !header.has_ddp()            ? 0
                       : header.terminated.tagged() ? iwarp::TaggedHeader::kSize
                                                    : iwarp::UntaggedHeader::kSize;
  return kControl + (length ? kSegmentLength : 0) + ddp +
         (quotes_read_request(header) ? iwarp::ReadRequestHeader::kSize : 0);
}

// Whether its message offset lies beyond the end of any RPC-over-RDMA message.
bool far_behind(Bytes plain) {
  constexpr uint32_t kFar = 1 << 24;  // bytes
  iwarp::UntaggedHeader header;
  return !wire::read(slice(plain, kLengthField), header) && !header.control.tagged() && header.offset >= kFar;
}

}  // namespace

uint32_t headers_of(Bytes plain) {
  if (plain.size() < kLengthField + iwarp::Control::kSize) {
    return static_cast<uint32_t>(plain.size());
  }
  const iwarp::Control control{plain[kLengthField], plain[kLengthField + 1]};
  if (control.tagged()) {
    return kLengthField + iwarp::TaggedHeader::kSize;
  }
  constexpr uint32_t kFront = kLengthField + iwarp::UntaggedHeader::kSize;
  iwarp::UntaggedHeader header;
  wire::read(slice(plain, kLengthField), header);
  const iwarp::Opcode opcode = control.opcode();
  if (header.queue != iwarp::queue_of(opcode)) {
    return kFront;
  }
  const uint32_t behind = opcode == iwarp::Opcode::read_request ? iwarp::ReadRequestHeader::kSize
                          : opcode == iwarp::Opcode::terminate  ? terminate_size(slice(plain, kFront))
                                                                : 0;
  return std::min(kFront + behind, kLengthField + wire::big_endian<uint16_t>(plain.data()));
}

Crc crc_of(const rdma::Unit& unit, bool any) {
  if (unit.raw.size() != unit.size || unit.size < kLengthField + kCrcField) {
    return Crc::unknown;
  }
  const iwarp::FpduCrc crc = iwarp::fpdu_crc(unit.raw);
  return crc.carried == crc.computed ? Crc::right : crc.carried == 0 && !any ? Crc::none : Crc::wrong;
}

bool trusted(const rdma::Unit& unit, Crc crc, Bytes plain, bool believed) {
  return crc == Crc::right || (plain.size() >= std::min(unit.size, iwarp::kWeighedBytes) &&
                               iwarp::weigh(plain).has_value() && !far_behind(plain) && believed);
}

std::vector<uint8_t> misfit_image(Bytes plain) {
  constexpr uint16_t kUntagged = iwarp::UntaggedHeader::kSize;
  constexpr uint32_t kMostLength = 65535 - 40;  // bytes, behind the headers of IP and TCP
  std::vector<uint8_t> image(kLengthField + iwarp::Control::kSize);
  if (plain.size() < image.size()) {
    return image;
  }
  const auto length = wire::big_endian<uint16_t>(plain.data());
  if (length > kMostLength) {
    return {kEndless.begin(), kEndless.end()};
  }
  const iwarp::Control was{plain[kLengthField], plain[kLengthField + 1]};
  iwarp::Control is = iwarp::Control::make(iwarp::Opcode::send, true);
  if (length < (was.tagged() ? iwarp::TaggedHeader::kSize : kUntagged)) {
    // Too short for an untagged segment, which the image says it is: one more bit might be content.
  } else if (was.ddp_version() > 1) {
    is.ddp = static_cast<uint8_t>((is.ddp & ~3) | was.ddp_version());
  } else if (was.rdmap_version() > 1) {
    is.rdmap = static_cast<uint8_t>((is.rdmap & 0x3F) | was.rdmap_version() << 6);
  } else {
    is.ddp |= was.ddp & 0x80;
    is.rdmap = static_cast<uint8_t>((is.rdmap & 0xF0) | (was.rdmap & 0xF));
  }
  image[1] = static_cast<uint8_t>(std::min(length, kUntagged));
  image[kLengthField] = is.ddp;
  image[kLengthField + 1] = is.rdmap;
  return image;
}

}  // namespace steertag::sanitize
