#include "sanitize/plan.h"

#include <algorithm>
#include <iterator>

#include "rdma/iwarp/ddp.h"
#include "sanitize/private_data.h"
#include "wire/reader.h"

namespace steertag::sanitize {

namespace iwarp = rdma::iwarp;

namespace {

constexpr uint32_t kLengthField = 2, kCrcField = 4;  // bytes of an FPDU
constexpr uint32_t kMisfit = 20;  // of what cannot be one, the bytes that show it: length and a DDP header

// Of an FPDU without its markers, the bytes that are headers. Read Requests and Terminates are nothing else.
uint32_t headers_of(Bytes plain) {
  if (plain.size() < kLengthField + iwarp::Control::kSize) {
    return static_cast<uint32_t>(plain.size());
  }
  const iwarp::Control control{plain[kLengthField], plain[kLengthField + 1]};
  if (control.opcode() == iwarp::Opcode::read_request || control.opcode() == iwarp::Opcode::terminate) {
    return kLengthField + wire::big_endian<uint16_t>(plain.data());
  }
  return kLengthField + (control.tagged() ? iwarp::TaggedHeader::kSize : iwarp::UntaggedHeader::kSize);
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

// The CRC that an FPDU has once it is sanitized, as long as it has no image: right where it was right, and
// else wrong; zeros, which some senders write instead of one, stay.
void set_crc(Part& part, const rdma::Unit& unit, const Key& key) {
  if (unit.raw.size() < unit.size || unit.size < kLengthField + kCrcField) {
    return;
  }
  const iwarp::FpduCrc was = iwarp::fpdu_crc(unit.raw);
  if (was.carried != was.computed && was.carried == 0) {
    return;
  }
  std::vector<uint8_t> fpdu(unit.raw.begin(), unit.raw.end());
  for (uint32_t i = 0; i < fpdu.size() - kCrcField; ++i) {
    const auto at = without_markers(unit.markers, part, i);
    fpdu[i] = at && *at >= part.kept ? uint8_t{0} : fpdu[i];
  }
  part.has_crc = true;
  part.crc = iwarp::fpdu_crc(fpdu).computed;
  if (was.carried != was.computed) {
    part.crc ^= static_cast<uint32_t>(key.hash(unit.raw)) | 1;
  }
}

FlowKey flow_of(const track::Connection& connection, rdma::Side from) {
  const track::End& source = connection.end(from);
  const track::End& destination = connection.end(rdma::other(from));
  return {source.address, destination.address, source.port.value_or(0), destination.port.value_or(0)};
}

}  // namespace

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

void Plan::add(const track::Connection& connection, const rdma::Unit& unit) {
  full_ |= held() > most_;
  if (full_) {
    return;
  }
  const uint32_t number = stream_of(connection, unit);
  Stream& stream = streams_[number];
  if (unit.kind != rdma::Unit::Kind::setup) {
    stream.markers = unit.markers;
  }
  Part part{.begin = unit.begin, .size = unit.size};
  if (unit.kind == rdma::Unit::Kind::misfit) {
    part.kept = part.size = std::min({unit.size, kMisfit, static_cast<uint32_t>(unit.raw.size())});
  } else if (unit.kind == rdma::Unit::Kind::fpdu) {
    part.kept = headers_of(plain_bytes(unit));
    set_crc(part, unit, key_);
  }
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
  stream.parts.push_back(part);
  ++parts_;
  if (unit.kind == rdma::Unit::Kind::setup) {
    const std::vector<uint8_t> frame = setup_frame(unit.raw);
    stream.parts.back().image = keep(frame, Known::alone);
  }
}

void Plan::add_changed(const Stamp& at) {
  full_ |= held() > most_;
  if (!full_) {
    changed_.insert({at.file, at.number});
  }
}

void Plan::forget(const track::Connection& connection) {
  open_.erase(&connection);
}

std::optional<Place> Plan::place_of(const track::Connection& connection, const rdma::RdmaOp& op) const {
  if (connection.transport != rdma::Transport::iwarp) {
    return Place{.payload = key_.hash(op.payload)};
  }
  const auto found = open_.find(&connection);
  const uint32_t number = found == open_.end() ? 0 : found->second[rdma::index(op.from)];
  if (number == 0) {
    return std::nullopt;
  }
  const std::vector<Part>& parts = streams_[number - 1].parts;
  const auto part = std::lower_bound(parts.begin(), parts.end(), op.end_position,
                                     [](const Part& p, uint64_t end) { return p.begin + p.size < end; });
  if (part == parts.end() || part->begin + part->size != op.end_position) {
    return std::nullopt;
  }
  return Place{.of_stream = true, .stream = number - 1, .part = static_cast<uint32_t>(part - parts.begin())};
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
  std::vector<uint8_t> difference(image.begin(), image.end());
  difference.resize(std::max(image.size(), before.size()));
  for (size_t i = 0; i < before.size(); ++i) {
    difference[i] ^= before[i];
  }
  if (before.size() == image.size()) {
    std::copy(image.begin(), image.end(), bytes_.begin() + static_cast<ptrdiff_t>(images_[number - 1].begin));
    images_[number - 1].known = known;
  } else {
    number = keep(image, known);
  }
  if (!place.of_stream || number == 0) {
    return;
  }
  const Stream& stream = streams_[place.stream];
  Part& part = streams_[place.stream].parts[place.part];
  if (!part.has_crc) {
    return;
  }
  std::vector<uint8_t> changes(part.size - kCrcField);
  for (uint32_t i = 0; i < changes.size(); ++i) {
    const auto at = without_markers(stream.markers, part, i);
    if (at && *at >= part.kept && *at - part.kept < difference.size()) {
      changes[i] = difference[*at - part.kept];
    }
  }
  part.crc ^= iwarp::crc32c_difference(changes);
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
