// Framing: where the FPDUs of one direction begin and end: Framer while that is known, Resync
// while it is not, and what is known of boundaries and markers all the while.
//
//   opening    the first bytes: an MPA Request or Reply, if it is iWARP
//   waiting    the initiator, until the Reply says whether markers are used
//   framed     FPDUs, from one known boundary to the next
//   searching  the next FPDU boundary is not known
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "link/tcp_stream.h"
#include "rdma/iwarp/framer.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/resync.h"

namespace steertag::rdma::iwarp {

class Framing {
 public:
  enum class Phase : uint8_t { opening, waiting, framed, searching };

  // The setup frame ends at `end`: an FPDU boundary, and where markers are counted from.
  void anchor(uint64_t end) {
    aligned_ = markers_.origin = end;
    anchored_ = true;
    phase_ = Phase::waiting;
  }
  // The setup frame of the receiver says whether there are markers: FPDUs can be read.
  void start(bool marked) {
    markers_.in_use = marked;
    begin(markers_.origin);
  }
  // No setup frame tells where FPDUs begin.
  void begin_search() { phase_ = Phase::searching; }

  // While framed. Yields the offset at which the framing was lost, if it was.
  std::optional<uint64_t> on_bytes(const link::StreamBytes& bytes, Framer::Sink& sink);
  // The bytes up to `end` are missing; `sink` has what they leave of an FPDU.
  void on_hole(uint64_t end, Framer::Sink& sink);
  // While searching. Yields the boundary from which on it is framed again, if one was found: then comes
  // take_kept(), to be replayed from there, or lose().
  std::optional<uint64_t> search(const link::StreamBytes& bytes, std::optional<bool> crc, bool proven);
  Resync take_kept() { return std::exchange(resync_, Resync{}); }
  void lose();

  // Whether the FPDU being handed on is one, where the setup does not say that there are no markers.
  // `wanted`: whether the peer wants them, where it said so.
  bool believes(const Fpdu& fpdu, std::optional<bool> wanted) const {
    return markers_.in_use || !wanted.value_or(true) || fits_without_markers(fpdu);
  }
  // So many segments with data were searched in vain, in one direction or in both, that there are no FPDUs.
  static bool hopeless(const Framing& a, const Framing& b);

  Phase phase() const { return phase_; }
  const Markers& markers() const { return markers_; }
  const Framer& framer() const { return framer_; }
  bool anchored() const { return anchored_; }
  bool interrupted() const { return interrupted_; }  // it was framed before a boundary was lost

  void release() {
    framer_.release();
    resync_.release();
  }
  void shrink() {
    if (phase_ != Phase::searching) {
      resync_.release();
    }
  }
  size_t held_bytes() const { return framer_.bytes() + resync_.bytes(); }

 private:
  void begin(uint64_t boundary) {
    phase_ = Phase::framed;
    framer_.begin(boundary, markers_);
  }
  bool fits_without_markers(const Fpdu& fpdu) const;

  Phase phase_ = Phase::opening;
  Framer framer_;
  Resync resync_;
  Markers markers_;
  std::optional<uint64_t> aligned_;  // an offset that was an FPDU boundary
  bool anchored_ = false;            // `aligned_` comes from the setup, not from a search
  bool interrupted_ = false;
  uint32_t searched_ = 0;                        // segments
  const link::StreamBytes* arriving_ = nullptr;  // what the FPDU ends in; null: in what is missing
};

}  // namespace steertag::rdma::iwarp
