// TcpConnection: turns the captured segments of one TCP connection, which may be iWARP, into
// rdma::RdmaOps: TCP reassembly, MPA framing, DDP segments, RDMAP messages.
//
// The connection table owns one per TCP connection and hands it every segment of both
// directions in capture order. The TcpConnection reports to its Listener the setup (MPA
// Request and Reply), every piece in stream order and exactly once, gaps, Terminate and the
// end. Between the directions it keeps the order of cause and effect even where the capture
// does not: a piece is not delivered before the bytes that its segment acknowledges.
//
// A stream is rdma when an MPA frame opened it or a chain of FPDUs proved it; until then it
// is undecided and its buffers are bounded by the constants of framer.h, resync.h and
// link/tcp_stream.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "link/tcp_stream.h"
#include "rdma/iwarp/delivery.h"
#include "rdma/iwarp/fpdu_watch.h"
#include "rdma/iwarp/framing.h"
#include "rdma/iwarp/handshake.h"
#include "rdma/iwarp/messages.h"
#include "rdma/op.h"
#include "rdma/unit.h"

namespace steertag::rdma::iwarp {

struct Options {
  bool verify_crc = false;  // check the CRC32c of every whole FPDU where MPA negotiated it
  // A stream on one of these is never given up as not_rdma for lack of a chain.
  std::vector<uint16_t> ports{20049};
};

enum class Proof : uint8_t { undecided, rdma, not_rdma };

struct Counters {
  uint64_t crc_checked = 0;  // FPDUs whose CRC32c was compared
  uint64_t crc_bad = 0;      // of those, the mismatches
  std::optional<Stamp> first_crc_bad;
  uint64_t resyncs = 0;  // times that a stream was picked up again after bytes were missing
};

// Who has closed its direction by a FIN, or reset the connection, as far as the peer accepts that.
struct Closings {
  struct Closing {
    Side by = Side::a;
    bool reset = false;
    Stamp at;
  };
  std::optional<Closing> first, reset;
  std::array<bool, 2> finished{};  // by a FIN
};

// Bytes: a segment further than this from where its direction stands belongs to another connection.
inline constexpr int32_t kForeignDistance = 16 << 20;

constexpr bool is_foreign(uint32_t sequence, uint32_t next) {
  const auto distance = static_cast<int32_t>(sequence - next);
  return distance < -kForeignDistance || distance > kForeignDistance;
}

class TcpConnection final : link::TcpStream::Sink, Framer::Sink {
 public:
  // Side::a is the sender of the first frame that was seen; the caller decides.
  // Both arguments must outlive the TcpConnection.
  TcpConnection(Listener& listener, const Options& options)
      : listener_(&listener),
        options_(&options),
        handshake_(listener),
        messages_(listener),
        deliveries_{Delivery(Side::a, listener), Delivery(Side::b, listener)},
        fpdus_(listener) {}

  // The next captured segment (carrier tcp), with or without data. Views in it
  // are used until the call returns.
  void on_segment(Side from, const link::Packet& segment, const Stamp& at);

  // Who wants to know when things were accepted; null: nobody. Outlives it.
  void report_to(Arrivals* arrivals) { arrivals_ = arrivals; }

  // The capture ended: what is still held is delivered, holes become gaps.
  void finish(const Stamp& at);

  // For want of memory: delivers what waits behind holes, which become gaps; frees what is spare.
  void give_up_waiting(const Stamp& at);
  void shrink();
  bool anything_waits() const { return tcp_.anything_held(); }
  // Bytes of memory: of the buffers, which can grow much at once; and of all on the heap.
  size_t held_bytes() const;
  size_t bytes() const;

  // Does this segment start another connection between the same ports? That is a SYN
  // with another initial sequence number, or an MPA Request or Reply far outside
  // of the sequence space in use. The caller then makes a new TcpConnection and hands the
  // segment to that one. To be asked before on_segment(); cheap.
  bool opens_new_epoch(Side from, const link::Packet& segment) const;
  // Whether the segment may follow what `from` has sent.
  bool goes_on(Side from, const link::Packet& segment) const;
  // The TCP sequence number that `from` would continue with; unset where nothing of it was seen.
  std::optional<uint32_t> next_sequence(Side from) const;

  // not_rdma is final: the TcpConnection has freed its buffers and ignores what follows.
  Proof proof() const { return proof_; }
  bool ended() const { return ended_; }                                     // on_end was called
  std::optional<Side> initiator() const { return handshake_.initiator(); }  // who sent the MPA Request
  // For both directions it is known where their data begins, so bytes missing there are noticed, as a gap.
  bool from_start() const;
  const Closings& closings() const { return closings_; }
  const MpaFacts& mpa() const { return handshake_.facts(); }
  const Counters& counters() const { return counters_; }

 private:
  void on_bytes(unsigned from, const link::StreamBytes& bytes) override;
  void on_hole(unsigned from, const link::StreamHole& hole, const Stamp& at) override;
  void on_arrival(unsigned from, const link::StreamBytes& bytes, bool again) override;
  void on_fin(unsigned from, const Stamp& at) override;
  void on_reset(unsigned from, const Stamp& at) override;
  bool on_fpdu(const Fpdu& fpdu) override;
  void on_misfit(const Fpdu& fpdu) override;
  void check_crc(const Fpdu& fpdu);

  void open(unsigned from, const link::StreamBytes& bytes);
  void opened(unsigned from, uint64_t end, const Stamp& at);
  void framed(unsigned from, const link::StreamBytes& bytes);
  void search(unsigned from, const link::StreamBytes& bytes);
  void gap(unsigned from, const Stamp& at);
  void report_unit(Unit::Kind kind, unsigned from, uint64_t begin, uint64_t size, Bytes raw,
                   bool holed = false);
  void report_unfinished();
  void note_closing(const Closings::Closing& closing);
  void end(EndReason reason, const Stamp& at);
  bool over() const { return ended_ || proof_ == Proof::not_rdma; }
  void release_if_over();

  Listener* listener_;
  const Options* options_;
  link::TcpStream tcp_;
  Handshake handshake_;
  std::array<Framing, 2> framings_;
  Messages messages_;
  std::array<Delivery, 2> deliveries_;
  FpduWatch fpdus_;
  Arrivals* arrivals_ = nullptr;
  Proof proof_ = Proof::undecided;
  bool ended_ = false;
  Counters counters_;
  Closings closings_;
  unsigned current_ = 0;            // the direction of the FPDU being delivered
  std::optional<uint32_t> digest_;  // TcpFields::digest of the current segment
  unsigned replay_depth_ = 0;
  bool named_port_ = false;
  bool released_ = false;
};

}  // namespace steertag::rdma::iwarp
