#include "rdma/iwarp/framer.h"

#include <algorithm>

#include "rdma/iwarp/evidence.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {

void Framer::begin(uint64_t boundary, const Markers& markers) {
  markers_ = markers;
  boundary_ = boundary;
  assembling_ = false;
}

void Framer::release() {
  std::vector<uint8_t>().swap(raw_);
  std::vector<uint8_t>().swap(plain_);
  std::vector<Stamp>().swap(frames_);
}

// `fpdu` holds at least prefix_size() bytes.
uint32_t Framer::size_from(const uint8_t* fpdu) const {
  const auto length = wire::big_endian<uint16_t>(fpdu + prefix_size() - 2);
  return fpdu_size(length, boundary_, markers_);
}

std::optional<uint64_t> Framer::on_bytes(const link::StreamBytes& bytes, Sink& sink) {
  uint64_t position = bytes.offset;
  if (assembling_ && !assemble(bytes, position, sink)) {
    return position;
  }
  while (position < bytes.end()) {
    const Bytes view = slice(bytes.captured, position - bytes.offset);
    const auto on_wire = static_cast<uint32_t>(bytes.end() - position);
    const uint32_t prefix = prefix_size();
    if (view.size() >= prefix) [[likely]] {
      const uint32_t size = size_from(view.data());
      if (size <= on_wire) {  // the fast path: nothing is copied
        if (!emit(slice(view, 0, size), size, std::span(&bytes.at, 1), false, sink)) {
          return boundary_;
        }
        position = boundary_;
        continue;
      }
    } else if (view.size() < std::min(prefix, on_wire)) {
      return position;  // the length is not in the capture
    }
    assembling_ = true;
    cut_ = holed_ = false;
    size_ = have_ = 0;
    raw_.clear();
    frames_.clear();
    if (!assemble(bytes, position, sink)) {
      return position;
    }
  }
  return std::nullopt;
}

// Adds what `bytes` holds of the FPDU that is assembled, from `position` on,
// and moves that behind it. False: the length field cannot be read, or the FPDU
// is none; then `position` is where to look for another.
bool Framer::assemble(const link::StreamBytes& bytes, uint64_t& position, Sink& sink) {
  if (frames_.size() < kMaxFpduFrames) {
    frames_.push_back(bytes.at);
  }
  while (assembling_ && position < bytes.end()) {
    const uint32_t wanted = (size_ ? size_ : prefix_size()) - have_;
    const auto taken = static_cast<uint32_t>(std::min<uint64_t>(wanted, bytes.end() - position));
    const Bytes part = slice(bytes.captured, position - bytes.offset, taken);
    if (!cut_) {
      raw_.insert(raw_.end(), part.begin(), part.end());
      cut_ = part.size() < taken;
    }
    have_ += taken;
    position += taken;
    if (size_ == 0 && have_ == prefix_size()) {
      if (cut_) {
        return false;
      }
      size_ = size_from(raw_.data());
    } else if (size_ != 0 && have_ == size_ && !emit_assembled(sink)) {
      return false;
    }
  }
  return true;
}

bool Framer::emit_assembled(Sink& sink) {
  assembling_ = false;
  sort_by_capture(frames_);
  return emit(raw_, size_, frames_, holed_, sink);
}

// Moves the boundary behind it, unless it cannot be an FPDU: then there may be one in it.
bool Framer::emit(Bytes raw, uint32_t size, std::span<const Stamp> frames, bool holed, Sink& sink) {
  Bytes plain = raw;
  if (markers_.in_use) {
    strip_markers(raw, boundary_, markers_, plain_);
    plain = plain_;
  }
  const auto length = wire::big_endian<uint16_t>(plain.data());
  const uint32_t pad = (4 - (2u + length) % 4) % 4;
  const Fpdu fpdu{raw,    size, slice(plain, 2, length), length, slice(plain, 2u + length, pad), boundary_,
                  frames, holed};
  if (!can_be_segment(fpdu.ulpdu, length)) {
    sink.on_misfit(fpdu);
    return false;
  }
  boundary_ += size;
  return sink.on_fpdu(fpdu);
}

bool Framer::on_hole(uint64_t end, Sink& sink) {
  if (!assembling_) {
    return end <= boundary_;
  }
  if (size_ == 0) {
    return false;
  }
  cut_ = holed_ = true;
  const uint64_t behind = boundary_ + size_;
  have_ = end < behind ? static_cast<uint32_t>(end - boundary_) : size_;
  if (have_ == size_ && !emit_assembled(sink)) {
    return false;
  }
  return end <= behind;
}

}  // namespace steertag::rdma::iwarp
