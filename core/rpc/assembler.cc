#include "rpc/assembler.h"

#include <algorithm>

namespace steertag::rpc {

std::optional<Send> Assembler::add(const rdma::RdmaOp& piece) {
  if (piece.first && piece.last) [[likely]] {
    return whole(piece, slice(piece.payload, 0, kMaxBytes), piece.payload_length, piece.frames);
  }
  if (piece.first) {
    active_ = true;
    id_ = piece.id;
    cut_ = false;
    length_ = 0;
    bytes_.clear();
    frames_.clear();
  } else if (!active_ || piece.id != id_ || piece.message_offset != length_) {
    active_ = false;
    return std::nullopt;
  }
  if (!cut_ && bytes_.size() < kMaxBytes) {
    const Bytes fits = slice(piece.payload, 0, kMaxBytes - bytes_.size());
    bytes_.insert(bytes_.end(), fits.begin(), fits.end());
    cut_ = fits.size() < piece.payload_length;
  }
  length_ += piece.payload_length;
  for (const Stamp& frame : piece.frames) {
    if (frames_.size() < kMaxFrames && (frames_.empty() || !(frames_.back() == frame))) {
      frames_.push_back(frame);
    }
  }
  account_.set(bytes_.capacity() + frames_.capacity() * sizeof(Stamp));
  if (!piece.last) {
    return std::nullopt;
  }
  active_ = false;
  // A piece that was held behind a hole may have been captured before its predecessors.
  sort_by_capture(frames_);
  frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
  return whole(piece, bytes_, length_, frames_);
}

void Assembler::shrink() {
  if (!active_) {
    std::vector<uint8_t>().swap(bytes_);
    std::vector<Stamp>().swap(frames_);
    account_.set(0);
  }
}

Send Assembler::whole(const rdma::RdmaOp& piece, Bytes bytes, uint32_t length,
                      std::span<const Stamp> frames) const {
  return {piece.from, bytes, length, frames, piece.invalidate, piece.end_position};
}

}  // namespace steertag::rpc
