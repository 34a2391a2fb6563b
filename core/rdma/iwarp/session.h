// Session: the implementation of TcpConnection. It ties TcpStream, Opening, Framer, Resync
// and Messages together, and knows for each direction which of them its bytes go to.
//
//   opening    the first bytes: an MPA Request or Reply, if it is iWARP
//   waiting    the initiator, until the Reply says whether markers are used
//   framed     FPDUs, from one known boundary to the next
//   searching  the next FPDU boundary is not known
//
// session.cc has the way of a segment, session_recovery.cc what happens where bytes are
// missing, session_anomalies.cc what is reported about TCP and MPA.
#pragma once

#include <array>
#include <optional>

#include "link/tcp_stream.h"
#include "rdma/iwarp/framer.h"
#include "rdma/iwarp/messages.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/iwarp/opening.h"
#include "rdma/iwarp/resync.h"
#include "rdma/iwarp/segment_copies.h"
#include "rdma/iwarp/tcp_connection.h"
#include "rdma/missing.h"
#include "rdma/unit.h"

namespace steertag::rdma::iwarp {

// TcpStream counts its directions as index(Side) does.
inline Side side(unsigned direction) {
  return direction == 0 ? Side::a : Side::b;
}

enum class Phase : uint8_t { opening, waiting, framed, searching };

class Session final : public link::TcpStream::Sink, public Framer::Sink {
 public:
  Session(Listener& listener, const Options& options)
      : listener_(&listener), options_(&options), messages_(listener) {}

  void on_segment(Side from, const link::Packet& segment, const Stamp& at);
  void finish(const Stamp& at);
  bool opens_new_epoch(Side from, const link::Packet& segment) const;
  bool goes_on(Side from, const link::Packet& segment) const;
  std::optional<uint32_t> next_sequence(Side from) const;
  bool from_start() const;
  void give_up_waiting(const Stamp& at);
  void shrink();
  bool anything_waits() const { return tcp_.anything_held(); }
  size_t held_bytes() const;
  size_t bytes() const;

  Arrivals* arrivals = nullptr;  // who wants to know when things were accepted
  Proof proof = Proof::undecided;
  bool ended = false;
  std::optional<Side> initiator;
  MpaFacts mpa;
  Counters counters;

 private:
  struct Half {
    Phase phase = Phase::opening;
    Opening opening;
    Stamp opened_at;  // where the opening is complete
    Framer framer;
    Resync resync;
    Markers markers;
    std::optional<uint64_t> aligned;  // an offset that was an FPDU boundary
    bool anchored = false;            // `aligned` comes from the setup, not from a search
    bool finished = false;            // FIN
    bool full = false;                // it advertises a window of zero
    bool interrupted = false;         // it was framed before the boundary was lost
    uint32_t searched = 0;            // segments
    bool gapless = false;             // nothing of it is missing since the setup
    bool crc_seen = false;            // a CRC was right
    bool fpdu_seen = false;
    SegmentCopies copies;
    Missing missing;
    uint64_t given_up = 0;  // offset: the end of the latest hole

    // FPDUs are read as if there were no markers, and there may be some: the peer did not say, or it wants
    // them, and it is not known where they stand.
    bool perhaps_marked(std::optional<bool> wanted) const { return !markers.in_use && wanted.value_or(true); }
  };

  void on_bytes(unsigned from, const link::StreamBytes& bytes) override;
  void on_hole(unsigned from, const link::StreamHole& hole, const Stamp& at) override;
  void on_arrival(unsigned from, const link::StreamBytes& bytes, bool again) override;
  void on_fin(unsigned from, const Stamp& at) override;
  void on_reset(unsigned from, const Stamp& at) override;
  bool on_fpdu(const Fpdu& fpdu) override;
  void on_misfit(const Fpdu& fpdu) override;

  void open(unsigned from, const link::StreamBytes& bytes);
  void opened(unsigned from, uint64_t end, const Stamp& at);
  void framed(unsigned from, const link::StreamBytes& bytes);
  void search(unsigned from, const link::StreamBytes& bytes);
  void lose(unsigned from);
  void gap(unsigned from, const Stamp& at);
  void check_crc(const Fpdu& fpdu);
  void deliver(const Fpdu& fpdu);
  void report_begun(unsigned from);
  void report_unit(Unit::Kind kind, unsigned from, uint64_t begin, uint64_t size, Bytes raw);
  bool fits_without_markers(const Fpdu& fpdu) const;
  bool speaks_first(unsigned from) const;
  bool settle_initiator(unsigned from, const Stamp& at);
  void watch_setup(unsigned from, const SetupFrame& frame);
  void watch_key(unsigned from, const Stamp& at);
  void watch_fpdu(const Fpdu& fpdu);
  void add_missing(unsigned from, const link::StreamHole& hole, const Stamp& at);
  void report_missing(unsigned from);
  void report_late(unsigned from, const link::StreamBytes& bytes, bool again);
  void report_acknowledged();
  void report_accepted(unsigned by, const link::TcpFields& tcp);
  void report_room(unsigned by, const link::TcpFields& tcp, const Stamp& at);
  Anomaly departure(Anomaly::Kind kind, unsigned from, const Stamp& at, uint64_t position) const;
  void end(EndReason reason, const Stamp& at);
  bool over() const { return ended || proof == Proof::not_rdma; }
  void release_if_over();
  Half& half(unsigned from) { return halves_[from]; }

  Listener* listener_;
  const Options* options_;
  link::TcpStream tcp_;
  Messages messages_;
  std::array<Half, 2> halves_;
  // By sender: offset up to which on_acknowledged() and on_accepted() were reported.
  std::array<uint64_t, 2> acknowledged_{}, accepted_{};
  unsigned current_ = 0;                         // the direction of the FPDU being delivered
  const link::StreamBytes* arriving_ = nullptr;  // what it ends in; null: in what is missing
  std::optional<uint32_t> digest_;               // TcpFields::digest of the current segment
  unsigned replay_depth_ = 0;
  bool named_port_ = false;
  bool released_ = false;
};

}  // namespace steertag::rdma::iwarp
