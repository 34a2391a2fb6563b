#include "sanitize/plan.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "rdma/iwarp/ddp.h"
#include "sanitize/fpdu.h"
#include "sanitize/setup.h"

namespace steertag::sanitize {

namespace iwarp = rdma::iwarp;

namespace {

std::vector<uint8_t> plain_bytes(const rdma::Unit& unit) {
  std::vector<uint8_t> plain;
  if (unit.markers.in_use) {
    iwarp::strip_markers(unit.raw, unit.begin, unit.markers, plain);
  } else {
    plain.assign(unit.raw.begin(), unit.raw.end());
  }
  return plain;
}

// Ends the last part where the next one begins, as the framing was lost in it. False where that begins in
// front of it.
bool make_room(std::vector<Part>& parts, uint64_t begin) {
  if (parts.empty() || begin - parts.back().begin >= parts.back().size) {
    return parts.empty() || begin >= parts.back().begin;
  }
  parts.back().size = static_cast<uint32_t>(begin - parts.back().begin);
  parts.back().has_crc = false;
  return true;
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

// A sender that makes CRCs makes one of each: where it cannot be checked, all may be content. So may it
// behind a wrong length of a sender that makes none, and where some bytes of an FPDU are in no frame, unless
// what advertised its memory is not in the capture.
bool Plan::believes(const track::Connection& connection, const Stream& stream, const rdma::Unit& unit,
                    Crc crc, Bytes plain) const {
  const bool first = stream.parts.size() < 2 || !connection.end(unit.from).setup_seen;
  const bool parted = unit.kind == rdma::Unit::Kind::open || unit.holed;
  return (crc == Crc::unknown && !stream.with_crc && (first || !parted)) || (crc == Crc::none && first) ||
         targets_.named(connection, plain);
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
  const Crc crc = unit.kind == rdma::Unit::Kind::setup ? Crc::unknown : crc_of(unit, stream.any_crc);
  const bool believed = believes(connection, stream, unit, crc, plain);
  const uint32_t headers = trusted(unit, crc, plain, believed) ? headers_of(plain) : 0;
  part.damaged = crc == Crc::wrong;
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
  if (!make_room(stream.parts, part.begin)) {
    return;
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
  if (crc == Crc::right || (crc == Crc::none && headers != 0)) {
    targets_.add_request(connection, plain);
  }
  if (crc == Crc::right) {
    stream.proven = unit.begin + unit.size;
  }
  stream.broken = unit.kind == rdma::Unit::Kind::misfit ||
                  (unit.kind == rdma::Unit::Kind::fpdu && part.kept == 0) ||
                  (crc == Crc::wrong && stream.with_crc);
  stream.with_crc |= crc == Crc::right;
  stream.any_crc |= crc == Crc::right || crc == Crc::wrong;
}

void Plan::add_changed(const Stamp& at) {
  full_ |= held() > most_;
  if (!full_) {
    changed_.insert({at.file, at.number});
  }
}

void Plan::forget(const track::Connection& connection) {
  queue_pairs_.add(connection);
  open_.erase(&connection);
  targets_.forget(connection);
}

std::optional<Place> Plan::place_of(const track::Connection& connection, const rdma::RdmaOp& op,
                                    const std::optional<PacketName>& name) const {
  return connection.transport == rdma::Transport::iwarp
             ? place_at(connection, op.from, op.end_position)
             : Place{.packet = sanitize::hash(key_, name, op.payload)};
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
  } else if (const auto found = by_packet_.find(place.packet); found != by_packet_.end()) {
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
                                     : by_packet_.try_emplace(place.packet, 0).first->second;
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

Bytes Plan::image_of(const PacketName& name, Bytes payload) const {
  auto found = by_packet_.find(sanitize::hash(key_, name, payload));
  if (found == by_packet_.end()) {  // its operation came so late that its name was forgotten
    found = by_packet_.find(sanitize::hash(key_, std::nullopt, payload));
  }
  return found == by_packet_.end() || found->second == 0 ? Bytes() : image_at(found->second);
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
