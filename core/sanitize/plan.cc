#include "sanitize/plan.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "rdma/iwarp/evidence.h"
#include "rdma/iwarp/rdmap.h"
#include "sanitize/setup.h"
#include "wire/reader.h"

namespace steertag::sanitize {

namespace iwarp = rdma::iwarp;

namespace {

constexpr uint32_t kLengthField = 2, kCrcField = 4;  // bytes of an FPDU
// The length of an FPDU that does not end in the capture.
constexpr std::array<uint8_t, kLengthField> kEndless = {0xFF, 0xFF};

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
         (header.has_rdmap() ? iwarp::ReadRequestHeader::kSize : 0);
}

// Of an FPDU without its markers, the bytes that are headers. What has the opcode of a Read Request or a
// Terminate, and is not in its queue, is none.
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

enum class Crc : uint8_t { unknown, none, right, wrong };  // none: zeros, of a sender that makes none

Crc crc_of(const rdma::Unit& unit) {
  if (unit.raw.size() != unit.size || unit.size < kLengthField + kCrcField) {
    return Crc::unknown;
  }
  const iwarp::FpduCrc crc = iwarp::fpdu_crc(unit.raw);
  return crc.carried == crc.computed ? Crc::right : crc.carried == 0 ? Crc::none : Crc::wrong;
}

// Whether its message offset lies beyond the end of any RPC-over-RDMA message.
bool far_behind(Bytes plain) {
  constexpr uint32_t kFar = 1 << 24;  // bytes
  iwarp::UntaggedHeader header;
  return !wire::read(slice(plain, kLengthField), header) && !header.control.tagged() && header.offset >= kFar;
}

// What is read as an FPDU is one: its CRC says so, or all that its headers say. `named`: whether the memory
// that it names was named before.
bool trusted(const rdma::Unit& unit, Crc crc, Bytes plain, bool named) {
  return crc == Crc::right || crc == Crc::none ||
         (plain.size() >= std::min(unit.size, iwarp::kWeighedBytes) && iwarp::weigh(plain).has_value() &&
          !far_behind(plain) && (named || crc != Crc::wrong));
}

// In place of what cannot be an FPDU: length and control words of which audit says the same. A length that
// no datagram of IP has room for is kEndless, or content.
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

std::vector<uint8_t> plain_bytes(const rdma::Unit& unit) {
  std::vector<uint8_t> plain;
  if (unit.markers.in_use) {
    iwarp::strip_markers(unit.raw, unit.begin, unit.markers, plain);
  } else {
    plain.assign(unit.raw.begin(), unit.raw.end());
  }
  return plain;
}

FlowKey flow_of(const track::Connection& connection, rdma::Side from) {
  const track::End& source = connection.end(from);
  const track::End& destination = connection.end(rdma::other(from));
  return {source.address, destination.address, source.port.value_or(0), destination.port.value_or(0)};
}

}  // namespace

uint8_t shown_marker_byte(const iwarp::Markers& markers, const Part& part, uint32_t at, Bytes near,
                          size_t in) {
  constexpr uint32_t kSize = iwarp::Marker::kSize;
  const auto phase = static_cast<uint32_t>((part.begin + at - markers.origin) % iwarp::Marker::kInterval);
  const uint32_t first = markers.at(part.begin) ? kSize : 0;  // where the length field is
  const uint32_t distance = at - phase < first ? 0 : at - phase - first;
  const std::array<uint8_t, kSize> right = {0, 0, static_cast<uint8_t>(distance >> 8),
                                            static_cast<uint8_t>(distance)};
  for (size_t i = in < phase ? phase - in : 0; i < kSize && in + i - phase < near.size(); ++i) {
    if (near[in + i - phase] != right[i]) {
      return 0xFF;
    }
  }
  return right[phase];
}

std::optional<uint32_t> without_markers(const iwarp::Markers& markers, const Part& part, uint32_t at) {
  if (!markers.in_use) {
    return at;
  }
  const uint64_t position = part.begin + at;
  const uint64_t phase = (position - markers.origin) % iwarp::Marker::kInterval;
  if (phase < iwarp::Marker::kSize) {
    return std::nullopt;
  }
  // Markers between the first byte of the part and this one.
  const auto count = [&](uint64_t before) {
    return (before - markers.origin + iwarp::Marker::kInterval - 1) / iwarp::Marker::kInterval;
  };
  return at - static_cast<uint32_t>(count(position) - count(part.begin)) * iwarp::Marker::kSize;
}

uint32_t Plan::stream_of(const track::Connection& connection, const rdma::Unit& unit) {
  uint32_t& number = open_[&connection][rdma::index(unit.from)];
  if (number == 0) {
    streams_.push_back({.order = connection.order,
                        .base = unit.sequence - static_cast<uint32_t>(unit.begin),
                        .markers = {},
                        .parts = {}});
    number = static_cast<uint32_t>(streams_.size());
    std::vector<uint32_t>& of_flow = by_flow_[flow_of(connection, unit.from)];
    of_flow.insert(behind(of_flow, connection.order), number - 1);
  }
  return number - 1;
}

// The CRC that an FPDU has once it is sanitized, as long as it has no image: right where it was right, and
// else wrong; zeros, which some senders write instead of one, stay.
void Plan::set_crc(Part& part, const rdma::Unit& unit, bool right) const {
  std::vector<uint8_t> fpdu(unit.raw.begin(), unit.raw.end());
  for (uint32_t i = 0; i < fpdu.size() - kCrcField; ++i) {
    const auto at = without_markers(unit.markers, part, i);
    fpdu[i] = !at                ? shown_marker_byte(unit.markers, part, i, unit.raw, i)
              : *at >= part.kept ? blank(part.begin + i)
                                 : fpdu[i];
  }
  part.has_crc = true;
  part.crc = iwarp::fpdu_crc(fpdu).computed;
  if (!right) {
    part.crc ^= static_cast<uint32_t>(key_.image(unit.raw)) | 1;
  }
}

void Plan::add(const track::Connection& connection, const rdma::Unit& unit) {
  full_ |= held() > most_;
  if (full_) {
    return;
  }
  Stream& stream = streams_[stream_of(connection, unit)];
  if (stream.broken) {
    return;
  }
  if (unit.kind != rdma::Unit::Kind::setup) {
    stream.markers = unit.markers;
  }
  Part part{.begin = unit.begin, .size = unit.size};
  const auto captured = static_cast<uint32_t>(unit.raw.size());
  const std::vector<uint8_t> plain = plain_bytes(unit);
  const Crc crc = unit.kind == rdma::Unit::Kind::setup ? Crc::unknown : crc_of(unit);
  const bool named = targets_.named(connection, plain);
  const uint32_t headers = trusted(unit, crc, plain, named) ? headers_of(plain) : 0;
  if (unit.kind == rdma::Unit::Kind::misfit) {
    constexpr uint32_t kShown = kLengthField + iwarp::Control::kSize + iwarp::Marker::kSize;
    part.size = std::min({unit.size, kShown, captured});
  } else if (unit.kind == rdma::Unit::Kind::fpdu) {
    part.kept = headers;
    if (part.kept != 0 &&
        (crc == Crc::right || crc == Crc::wrong)) {  // of what is none, it would show a length
      set_crc(part, unit, crc == Crc::right);
    }
  } else if (unit.kind == rdma::Unit::Kind::open) {
    part.size = std::max(unit.size, captured);
    part.kept = unit.size != 0 ? headers : 0;
  }
  part.kept = std::min(part.kept, static_cast<uint32_t>(plain.size()));
  if (!stream.parts.empty()) {
    Part& last = stream.parts.back();
    if (part.begin < last.begin) {
      return;
    }
    if (part.begin - last.begin < last.size) {  // the framing was lost in it
      last.size = static_cast<uint32_t>(part.begin - last.begin);
      last.has_crc = false;
    }
  }
  part.headers = bytes_.size();
  bytes_.insert(bytes_.end(), plain.begin(), plain.begin() + part.kept);
  stream.parts.push_back(part);
  ++parts_;
  if (unit.kind == rdma::Unit::Kind::setup) {
    stream.parts.back().image = keep(setup_frame(unit.raw), Known::alone);
  } else if (unit.kind == rdma::Unit::Kind::misfit && stream.proven == unit.begin) {
    stream.parts.back().image = keep(misfit_image(plain), Known::alone);
  } else if (part.kept == 0) {  // it may be anything: one of which the end does not come
    stream.parts.back().image = keep(kEndless, Known::alone);
  }
  if (crc == Crc::right) {
    targets_.add_request(connection, plain);
    stream.proven = unit.begin + unit.size;
  }
  stream.broken = unit.kind == rdma::Unit::Kind::misfit ||
                  (unit.kind == rdma::Unit::Kind::fpdu && part.kept == 0) ||
                  (crc == Crc::wrong && stream.with_crc);
  stream.with_crc |= crc == Crc::right;
}

void Plan::add_changed(const Stamp& at) {
  full_ |= held() > most_;
  if (!full_) {
    changed_.insert({at.file, at.number});
  }
}

void Plan::forget(const track::Connection& connection) {
  open_.erase(&connection);
  targets_.forget(connection);
}

std::optional<Place> Plan::place_of(const track::Connection& connection, const rdma::RdmaOp& op) const {
  return connection.transport == rdma::Transport::iwarp ? place_at(connection, op.from, op.end_position)
                                                        : Place{.payload = key_.hash(op.payload)};
}

bool Plan::shows(const track::Connection& connection, rdma::Side from, uint64_t end_position) const {
  return connection.transport != rdma::Transport::iwarp || place_at(connection, from, end_position);
}

bool Plan::broken(const track::Connection& connection, rdma::Side from) const {
  const Stream* const stream = open_stream(connection, from);
  return stream != nullptr && stream->broken;
}

const Stream* Plan::open_stream(const track::Connection& connection, rdma::Side from) const {
  const auto found = open_.find(&connection);
  const uint32_t number = found == open_.end() ? 0 : found->second[rdma::index(from)];
  return number == 0 ? nullptr : &streams_[number - 1];
}

std::optional<Place> Plan::place_at(const track::Connection& connection, rdma::Side from,
                                    uint64_t end_position) const {
  const Stream* const stream = open_stream(connection, from);
  if (stream == nullptr) {
    return std::nullopt;
  }
  const std::vector<Part>& parts = stream->parts;
  const auto part = std::lower_bound(parts.begin(), parts.end(), end_position,
                                     [](const Part& p, uint64_t end) { return p.begin + p.size < end; });
  if (part == parts.end() || part->begin + part->size != end_position || part->kept == 0) {
    return std::nullopt;
  }
  return Place{.of_stream = true,
               .stream = static_cast<uint32_t>(stream - streams_.data()),
               .part = static_cast<uint32_t>(part - parts.begin())};
}

uint32_t Plan::keep(Bytes image, Known known) {
  full_ |= held() + image.size() > most_ || images_.size() == UINT32_MAX;
  if (full_) {
    return 0;
  }
  images_.push_back({bytes_.size(), static_cast<uint32_t>(image.size()), known});
  bytes_.insert(bytes_.end(), image.begin(), image.end());
  return static_cast<uint32_t>(images_.size());
}

void Plan::overlay(const Place& place, size_t length, size_t at, Bytes bytes, Known known) {
  uint32_t number = 0;
  if (place.of_stream) {
    number = streams_[place.stream].parts[place.part].image;
  } else if (const auto found = by_payload_.find(place.payload); found != by_payload_.end()) {
    number = found->second;
  }
  if (number != 0 && images_[number - 1].known > known) {
    return;
  }
  const Bytes before = number == 0 ? Bytes() : image_at(number);
  std::vector<uint8_t> image(before.begin(), before.end());
  image.resize(length);
  const Bytes fits = slice(bytes, 0, length - std::min(length, at));
  std::copy(fits.begin(), fits.end(), image.begin() + static_cast<ptrdiff_t>(std::min(length, at)));
  set_image(place, image, known);
}

void Plan::set_image(const Place& place, Bytes image, Known known) {
  uint32_t& number = place.of_stream ? streams_[place.stream].parts[place.part].image
                                     : by_payload_.try_emplace(place.payload, 0).first->second;
  const Bytes before = number == 0 ? Bytes() : image_at(number);
  if (place.of_stream) {
    change_crc(streams_[place.stream], streams_[place.stream].parts[place.part], before, image);
  }
  if (before.size() == image.size()) {
    std::copy(image.begin(), image.end(), bytes_.begin() + static_cast<ptrdiff_t>(images_[number - 1].begin));
    images_[number - 1].known = known;
  } else {
    number = keep(image, known);
  }
}

// To that of a part in which one image takes the place of another.
void Plan::change_crc(const Stream& stream, Part& part, Bytes before, Bytes now) const {
  if (!part.has_crc) {
    return;
  }
  std::vector<uint8_t> changes(part.size - kCrcField);
  for (uint32_t i = 0; i < changes.size(); ++i) {
    const auto at = without_markers(stream.markers, part, i);
    if (at && *at >= part.kept) {
      const uint32_t in = *at - part.kept;
      const uint8_t none = blank(part.begin + i);
      changes[i] = (in < before.size() ? before[in] : none) ^ (in < now.size() ? now[in] : none);
    }
  }
  part.crc ^= iwarp::crc32c_difference(changes);
}

uint8_t Plan::any(uint64_t place) const {
  std::array<uint8_t, 1> byte{};
  sanitize::blank(key_.derive(place), byte);
  return byte[0];
}

Bytes Plan::image_of(Bytes payload) const {
  const auto found = by_payload_.find(key_.hash(payload));
  return found == by_payload_.end() || found->second == 0 ? Bytes() : image_at(found->second);
}

const Stream* Plan::find(const FlowKey& flow, uint64_t order) const {
  const auto found = by_flow_.find(flow);
  if (found == by_flow_.end()) {
    return nullptr;
  }
  const auto next = behind(found->second, order);
  return next == found->second.begin() ? nullptr : &streams_[*std::prev(next)];
}

std::vector<uint32_t>::const_iterator Plan::behind(const std::vector<uint32_t>& of_flow,
                                                   uint64_t order) const {
  return std::partition_point(of_flow.begin(), of_flow.end(),
                              [&](uint32_t number) { return streams_[number].order <= order; });
}

}  // namespace steertag::sanitize
