// Handshake: the MPA Request and Reply of one connection (RFC 5044 §7.1): who the initiator is,
// what both ends agree on, and what is wrong with either frame, which is reported as an Anomaly.
// TcpConnection gives it the first bytes of each direction, and says what TCP knows of them.
#pragma once

#include <array>
#include <optional>

#include "link/tcp_stream.h"
#include "rdma/anomaly.h"
#include "rdma/iwarp/opening.h"
#include "rdma/op.h"

namespace steertag::rdma::iwarp {

// What MPA agreed on (RFC 5044 §7.1, RFC 6581 §9), as far as it was captured.
struct MpaFacts {
  bool request_seen = false;
  bool reply_seen = false;
  bool rejected = false;  // the Reply has the R flag
  // What came in its place is none, or breaks the format: the initiator closes (RFC 5044 §7.1.1).
  bool reply_invalid = false;
  std::array<bool, 2> begun{};              // by Side: the beginning of its frame has come, and not all of it
  std::optional<uint8_t> request_revision;  // 1, or 2 and more for enhanced setup
  std::optional<uint8_t> reply_revision;
  std::array<std::optional<bool>, 2> markers;       // by Side: are there markers in what it sends
  std::optional<bool> crc;                          // is the CRC field meaningful
  std::array<std::optional<uint32_t>, 2> ird, ord;  // by Side; unset where absent or 0x3FFF
};

class Handshake {
 public:
  explicit Handshake(Listener& listener) : listener_(&listener) {}

  // Takes what belongs to the setup frame of `from`, and says how many bytes that were.
  uint32_t add(Side from, const link::StreamBytes& bytes);
  // That frame is complete. `speaks_first`: nothing of the peer was there to answer when it was sent.
  void complete(Side from, bool speaks_first, const Stamp& at);
  // That frame is refused: what stands at the beginning of the stream, if it is captured, is none.
  void refuse(Side from, const Stamp& at);
  void release(Side from) { openings_[index(from)].release(); }

  const Opening& opening(Side from) const { return openings_[index(from)]; }
  std::optional<Side> initiator() const { return initiator_; }
  const MpaFacts& facts() const { return facts_; }

 private:
  void report(Anomaly::Kind kind, Side from, uint64_t expected, uint64_t found);
  void settle_initiator(Side from, bool speaks_first);
  void watch(Side from);

  Listener* listener_;
  std::array<Opening, 2> openings_;
  std::array<Stamp, 2> completed_;  // the frame that ends it
  std::optional<Side> initiator_;
  MpaFacts facts_;
};

}  // namespace steertag::rdma::iwarp
