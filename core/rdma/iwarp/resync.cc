#include "rdma/iwarp/resync.h"

#include <algorithm>
#include <array>

#include "rdma/iwarp/evidence.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {
namespace {

constexpr unsigned kSegmentEdge = 8;  // bits: an FPDU begins or ends with a segment
constexpr unsigned kMarkerBits = 16;  // a marker with zeros in its reserved half
constexpr unsigned kCrcBits = 32;

// Raw bytes that hold a header to weigh, with the markers that may be in it.
constexpr size_t kHeaderRoom = kWeighedBytes + 2 * Marker::kSize;

}  // namespace

void Resync::clear() {
  pieces_.clear();
  buffer_.clear();
  candidates_.clear();
  segments_ = 0;
}

void Resync::release() {
  clear();
  std::vector<Piece>().swap(pieces_);
  std::vector<uint8_t>().swap(buffer_);
  std::vector<Candidate>().swap(candidates_);
  std::vector<uint8_t>().swap(scratch_);
  std::vector<uint8_t>().swap(plain_);
}

std::optional<uint64_t> Resync::on_bytes(const link::StreamBytes& bytes, const Hints& hints) {
  keep(bytes);
  ++segments_;
  const Piece& piece = pieces_.back();
  const bool expected = std::any_of(candidates_.begin(), candidates_.end(),
                                    [&](const Candidate& c) { return c.next == bytes.offset; });
  if (bytes.segment_start && !expected) {
    propose(bytes.offset, hints, false);
  }
  if (hints.markers.in_use) {
    propose_from_markers(piece, hints);
  }
  if (segments_ > kDeepScanAfter) {
    scan(piece, hints);
  }
  size_t kept = 0;
  std::optional<uint64_t> found;
  for (Candidate& candidate : candidates_) {
    Step step = Step::goes_on;
    while (step == Step::goes_on && !convinces(candidate, hints)) {
      step = advance(candidate, hints);
    }
    if (step != Step::dead) {
      if (convinces(candidate, hints) && (!found || candidate.start < *found)) {
        found = candidate.start;
      }
      candidates_[kept++] = candidate;
    }
  }
  candidates_.resize(kept);
  return found;
}

void Resync::keep(const link::StreamBytes& bytes) {
  // A GRO segment may be larger than the whole window: its start is what counts.
  const Bytes part = slice(bytes.captured, 0, kMaxWindow / 2);
  while (!pieces_.empty() &&
         (buffer_.size() + part.size() > kMaxWindow || pieces_.size() >= kMaxWindowPieces)) {
    evict();
  }
  Piece piece{bytes, buffer_.size(), static_cast<uint32_t>(part.size())};
  piece.bytes.captured = {};
  buffer_.insert(buffer_.end(), part.begin(), part.end());
  pieces_.push_back(piece);
}

// Drops the older half of what is kept; candidates that began there begin anew
// at the boundary that they expect.
void Resync::evict() {
  const size_t drop = (pieces_.size() + 1) / 2;
  const size_t bytes = drop < pieces_.size() ? pieces_[drop].at : buffer_.size();
  const uint64_t begin = drop < pieces_.size() ? pieces_[drop].bytes.offset : pieces_.back().bytes.end();
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<ptrdiff_t>(drop));
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(bytes));
  for (Piece& piece : pieces_) {
    piece.at -= bytes;
  }
  for (Candidate& candidate : candidates_) {
    if (candidate.start < begin) {
      candidate.start = candidate.next;
    }
  }
  std::erase_if(candidates_, [&](const Candidate& c) { return c.start < begin; });
}

link::StreamBytes Resync::trimmed(const Piece& piece, uint64_t offset) const {
  link::StreamBytes bytes = piece.bytes;
  bytes.captured = Bytes(buffer_).subspan(piece.at, piece.captured);
  if (offset > bytes.offset) {
    const uint64_t cut = offset - bytes.offset;
    bytes.captured = slice(bytes.captured, cut);
    bytes.length -= static_cast<uint32_t>(cut);
    bytes.offset = offset;
    bytes.segment_start = false;
  }
  return bytes;
}

const Resync::Piece* Resync::piece_at(uint64_t offset) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                [](uint64_t o, const Piece& p) { return o < p.bytes.offset; });
  if (after == pieces_.begin() || offset >= (after - 1)->bytes.end()) {
    return nullptr;
  }
  return &*(after - 1);
}

bool Resync::ends_segment(uint64_t offset) const {
  const Piece* last = piece_at(offset - 1);
  return last && last->bytes.end() == offset;
}

// Copies stream bytes from `offset` on, up to the first that is missing.
size_t Resync::copy(uint64_t offset, size_t length, uint8_t* out) const {
  size_t done = 0;
  while (done < length) {
    const Piece* piece = piece_at(offset + done);
    if (!piece) {
      break;
    }
    const uint64_t inside = offset + done - piece->bytes.offset;
    if (inside >= piece->captured) {
      break;
    }
    const size_t run = std::min<size_t>(length - done, piece->captured - inside);
    std::copy_n(buffer_.begin() + static_cast<ptrdiff_t>(piece->at + inside), run, out + done);
    done += run;
  }
  return done;
}

void Resync::propose(uint64_t start, const Hints& hints, bool anywhere) {
  if (candidates_.size() >= kMaxCandidates || (hints.aligned && (start - *hints.aligned) % 4 != 0)) {
    return;
  }
  const auto same = [&](const Candidate& c) { return c.start == start || c.next == start; };
  if (std::none_of(candidates_.begin(), candidates_.end(), same)) {
    candidates_.push_back({start, start, 0, 0, false, anywhere});
  }
}

// RFC 5044 §4.3: a marker points back to the length field of the FPDU around it.
void Resync::propose_from_markers(const Piece& piece, const Hints& hints) {
  const uint64_t origin = hints.markers.origin;
  uint64_t at = piece.bytes.offset;
  at += (Marker::kInterval - (at - origin) % Marker::kInterval) % Marker::kInterval;
  for (; at + Marker::kSize <= piece.bytes.offset + piece.captured; at += Marker::kInterval) {
    Marker marker;
    wire::read(Bytes(buffer_).subspan(piece.at + (at - piece.bytes.offset)), marker);
    if (marker.reserved != 0 || marker.fpdu_pointer % 4 != 0 || marker.fpdu_pointer > at - origin) {
      continue;
    }
    uint64_t start = at - marker.fpdu_pointer;
    if (marker.fpdu_pointer != 0 && start >= origin + Marker::kSize &&
        hints.markers.at(start - Marker::kSize)) {
      start -= Marker::kSize;
    }
    const size_t before = candidates_.size();
    if (piece_at(start)) {
      propose(start, hints, false);
    }
    if (candidates_.size() > before) {
      candidates_.back().bits += kMarkerBits;
    }
  }
}

// Looks for the control bytes of a DDP segment at every offset that can be one.
void Resync::scan(const Piece& piece, const Hints& hints) {
  if (hints.markers.in_use) {
    return;  // these have better signposts
  }
  const Bytes bytes = Bytes(buffer_).subspan(piece.at, piece.captured);
  const size_t step = hints.aligned ? 4 : 1;
  size_t i = hints.aligned ? (4 - (piece.bytes.offset - *hints.aligned) % 4) % 4 : 1;
  for (; i + kWeighedBytes <= bytes.size() && candidates_.size() < kMaxCandidates; i += step) {
    if ((bytes[i + 2] & 0x3F) == 0x01 && (bytes[i + 3] & 0xF0) == 0x40 && weigh(bytes.subspan(i))) {
      propose(piece.bytes.offset + i, hints, true);
    }
  }
}

Resync::Step Resync::advance(Candidate& candidate, const Hints& hints) {
  const uint64_t at = candidate.next;
  const uint64_t end = pieces_.back().bytes.end();
  if (at >= end) {
    return Step::waits;
  }
  std::array<uint8_t, kHeaderRoom> raw;
  size_t have = copy(at, raw.size(), raw.data());
  Bytes header(raw.data(), have);
  if (hints.markers.in_use) {
    strip_markers(header, at, hints.markers, plain_);
    header = plain_;
  }
  if (header.size() < kWeighedBytes && at + have == end) {
    // Perhaps a short FPDU that ends here: a tagged one without payload takes 20 bytes.
    return Step::waits;
  }
  const std::optional<unsigned> bits = weigh(header);
  if (!bits) {
    return Step::dead;
  }
  const uint32_t size = fpdu_size(wire::big_endian<uint16_t>(header.data()), at, hints.markers);
  candidate.bits += *bits;
  candidate.bits += candidate.fpdus > 0 && ends_segment(at) && !candidate.at_end ? kSegmentEdge : 0;
  candidate.at_end = ends_segment(at + size);
  candidate.bits += candidate.at_end ? kSegmentEdge : 0;
  if (hints.crc.value_or(true) && at + size <= end && candidate.bits < kEnoughEvidence) {
    scratch_.resize(size);
    if (copy(at, size, scratch_.data()) == size) {
      const bool matches = crc_matches(scratch_);
      candidate.bits += matches ? kCrcBits : 0;
      if (hints.crc && !matches) {
        return Step::dead;
      }
    }
  }
  candidate.next = at + size;
  ++candidate.fpdus;
  return Step::goes_on;
}

bool Resync::convinces(const Candidate& candidate, const Hints& hints) const {
  if (candidate.bits < kEnoughEvidence || candidate.fpdus == 0) {
    return false;
  }
  return candidate.fpdus > 1 || (!candidate.anywhere && (hints.proven || candidate.at_end));
}

}  // namespace steertag::rdma::iwarp
