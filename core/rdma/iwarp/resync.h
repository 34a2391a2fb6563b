// Resync: finds an FPDU boundary in a direction whose beginning, or a part of which,
// is not in the capture. It keeps the latest bytes and follows candidates, each a
// chain of presumed FPDUs from length field to length field, until the evidence for
// one chain suffices.
//
// Candidates start at segment starts; where markers are in use, also where a
// marker points; after kDeepScanAfter segments without success, at any offset
// that the known alignment allows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "link/tcp_stream.h"
#include "rdma/iwarp/mpa.h"

namespace steertag::rdma::iwarp {

inline constexpr unsigned kEnoughEvidence = 40;   // bits
inline constexpr size_t kMaxWindow = 256u << 10;  // captured bytes kept: a chain of three 64 KiB FPDUs
inline constexpr size_t kMaxWindowPieces = 4096;
inline constexpr size_t kMaxCandidates = 32;
inline constexpr uint32_t kDeepScanAfter = 8;  // segments

class Resync {
 public:
  struct Hints {
    Markers markers;
    std::optional<uint64_t>
        aligned;              // an offset that was an FPDU boundary: all are multiples of 4 away from it
    std::optional<bool> crc;  // is the CRC field meaningful
    bool proven = false;      // the connection is known to be iWARP
  };

  // The next bytes, at or after the end of the last ones; what lies between is
  // missing. Yields the offset of the first FPDU of a chain that convinces.
  std::optional<uint64_t> on_bytes(const link::StreamBytes& bytes, const Hints& hints);

  // Feeds what was kept from `offset` on, in order, to whatever takes over.
  template <typename F>
  void replay(uint64_t offset, F&& feed) const {
    for (const Piece& piece : pieces_) {
      if (piece.bytes.end() > offset) {
        feed(trimmed(piece, offset));
      }
    }
  }

  void clear();
  void release();
  size_t bytes() const {  // of the heap
    return buffer_.capacity() + scratch_.capacity() + plain_.capacity() + pieces_.capacity() * sizeof(Piece);
  }

 private:
  struct Piece {
    link::StreamBytes bytes;  // `captured` unset: it stands in buffer_
    size_t at = 0;
    uint32_t captured = 0;
  };
  struct Candidate {
    uint64_t start = 0;
    uint64_t next = 0;  // where the next length field is expected
    unsigned bits = 0;
    unsigned fpdus = 0;
    bool at_end = false;    // the last FPDU ended with its segment
    bool anywhere = false;  // found by the deep scan: one header is not enough
  };
  enum class Step { waits, dead, goes_on };

  link::StreamBytes trimmed(const Piece& piece, uint64_t offset) const;
  void keep(const link::StreamBytes& bytes);
  void evict();
  size_t copy(uint64_t offset, size_t length, uint8_t* out) const;
  const Piece* piece_at(uint64_t offset) const;
  bool ends_segment(uint64_t offset) const;
  void propose(uint64_t start, const Hints& hints, bool anywhere);
  void propose_from_markers(const Piece& piece, const Hints& hints);
  void scan(const Piece& piece, const Hints& hints);
  Step advance(Candidate& candidate, const Hints& hints);
  bool convinces(const Candidate& candidate, const Hints& hints) const;

  std::vector<Piece> pieces_;
  std::vector<uint8_t> buffer_;
  std::vector<Candidate> candidates_;
  std::vector<uint8_t> scratch_, plain_;
  uint32_t segments_ = 0;
};

}  // namespace steertag::rdma::iwarp
