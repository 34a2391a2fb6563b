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
#include <memory>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "rdma/op.h"

namespace steertag::rdma::iwarp {

struct Options {
  bool verify_crc = false;  // check the CRC32c of every whole FPDU where MPA negotiated it
  std::vector<uint16_t> ports{
      20049};  // a stream on one of these is never given up as not_rdma for lack of a chain
};

enum class Proof : uint8_t { undecided, rdma, not_rdma };

// What MPA agreed on (RFC 5044 §7.1, RFC 6581 §9), as far as it was captured.
struct MpaFacts {
  bool request_seen = false;
  bool reply_seen = false;
  bool rejected = false;                    // the Reply has the R flag
  std::optional<uint8_t> request_revision;  // 1, or 2 and more for enhanced setup
  std::optional<uint8_t> reply_revision;
  std::array<std::optional<bool>, 2> markers;       // by Side: are there markers in what it sends
  std::optional<bool> crc;                          // is the CRC field meaningful
  std::array<std::optional<uint16_t>, 2> ird, ord;  // by Side; unset where absent or 0x3FFF
};

struct Counters {
  uint64_t crc_checked = 0;  // FPDUs whose CRC32c was compared
  uint64_t crc_bad = 0;      // of those, the mismatches
  std::optional<Stamp> first_crc_bad;
  uint64_t resyncs = 0;  // times that a stream was picked up again after bytes were missing
};

// Bytes: a segment further than this from where its direction stands belongs to another connection.
inline constexpr int32_t kForeignDistance = 16 << 20;

constexpr bool is_foreign(uint32_t sequence, uint32_t next) {
  const auto distance = static_cast<int32_t>(sequence - next);
  return distance < -kForeignDistance || distance > kForeignDistance;
}

class Session;

class TcpConnection {
 public:
  // Side::a is the sender of the first frame that was seen; the caller decides.
  // Both arguments must outlive the TcpConnection.
  TcpConnection(Listener& listener, const Options& options);
  TcpConnection(TcpConnection&&) noexcept;
  TcpConnection& operator=(TcpConnection&&) noexcept;
  ~TcpConnection();

  // The next captured segment (carrier tcp), with or without data. Views in it
  // are used until the call returns.
  void on_segment(Side from, const link::Packet& segment, const Stamp& at);

  // Who wants to know when things were accepted; null: nobody. Outlives it.
  void report_to(Arrivals* arrivals);

  // The capture ended: what is still held is delivered, holes become gaps.
  void finish(const Stamp& at);

  // For want of memory: delivers what waits behind holes, which become gaps; frees what is spare.
  void give_up_waiting(const Stamp& at);
  void shrink();
  bool anything_waits() const;
  // Bytes of memory: of the buffers, which can grow much at once; and of all of it.
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
  Proof proof() const;
  bool ended() const;                     // on_end was called
  std::optional<Side> initiator() const;  // who sent the MPA Request
  // For both directions it is known where their data begins, so bytes missing there are noticed, as a gap.
  bool from_start() const;
  const MpaFacts& mpa() const;
  const Counters& counters() const;

 private:
  std::unique_ptr<Session> session_;
};

}  // namespace steertag::rdma::iwarp
