// TcpStream: turns the captured segments of both directions of one TCP connection into bytes
// in stream order. iWARP's TcpConnection owns one per connection.
//
// In-order data is handed on as a view, at once and uncopied; what arrives ahead of its turn
// is copied and held. Two things make a segment wait: a hole before it in its own direction,
// and an acknowledgment of bytes of the other direction that have not been handed on yet. So
// the sink sees cause before effect, even where merged taps show an answer before its
// question.
//
// Bytes in a hole that the peer's acknowledgment covers were lost by the capture, not by the
// network: after a little patience the hole is declared and the stream goes on behind it.
// Stream offsets are 64 bits wide: they never wrap and never go back.
//
// A RST ends the stream if its sequence number is where its sender stands, as the receiver
// would judge it (RFC 9293 §3.10.7.4). Elsewhere in the window it may be real, since the
// capture may lack what was sent before it: it was, if nothing new is acknowledged after it
// until the capture ends. Otherwise it was stray.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "link/packet.h"

namespace steertag::link {

// Bounds of one direction. Where they are exceeded, holes are given up, not the stream.
inline constexpr size_t kMaxHeldBytes = 8u << 20;
inline constexpr size_t kMaxHeldSegments = 4096;
// Buffers kept for the next burst out of order, all together.
inline constexpr size_t kMaxSpareBytes = 256u << 10;
// Segments that must have arrived behind a hole before it is declared.
inline constexpr size_t kHolePatience = 3;
// Segments that may wait for bytes of the other direction, which they acknowledge, before
// those bytes are given up.
inline constexpr size_t kCausePatience = 256;
// No TCP window is larger (RFC 7323 §2.3); a segment further away is stray.
inline constexpr int64_t kMaxWindow = int64_t{1} << 30;
// After so many successive segments far from the expected place, the capture must have been
// interrupted for a while.
inline constexpr uint32_t kStrayPatience = 8;
inline constexpr int64_t kStrayDistance = int64_t{16} << 20;

// A run of bytes of one captured segment, each handed on exactly once.
struct StreamBytes {
  uint64_t offset = 0;         // in the stream; 0 is the byte after the SYN, or the first that was seen
  Bytes captured;              // a prefix of what was on the wire
  uint32_t length = 0;         // bytes on the wire
  bool segment_start = false;  // the first byte is the first of its TCP segment
  Stamp at;

  uint64_t end() const { return offset + length; }
};

// Bytes that will not come.
struct StreamHole {
  uint64_t begin = 0, end = 0;
  // The frame with the peer's acknowledgment of all of them; absent where none is
  // in the capture, and the hole was given up for another reason.
  std::optional<Stamp> proof;
};

class TcpStream {
 public:
  // Directions are 0 and 1, as the caller numbers them.
  class Sink {
   public:
    virtual void on_bytes(unsigned from, const StreamBytes& bytes) = 0;
    // The hole begins where the stream stands. `at`: the frame that settled it.
    virtual void on_hole(unsigned from, const StreamHole& hole, const Stamp& at) = 0;
    // A segment with data as it arrives, before it is put in order. `again`: all or some
    // of it was captured before, or given up.
    virtual void on_arrival(unsigned /*from*/, const StreamBytes& /*bytes*/, bool /*again*/) {}
    virtual void on_fin(unsigned from, const Stamp& at) = 0;
    virtual void on_reset(unsigned from, const Stamp& at) = 0;

   protected:
    ~Sink() = default;
  };

  void push(unsigned from, const Packet& segment, const Stamp& at, Sink& sink);
  void finish(const Stamp& at, Sink& sink);  // hands on all that is held
  // The same, but the stream goes on: the holes before what is held are final.
  void give_up_held(const Stamp& at, Sink& sink) { pump(at, sink, true); }
  void release();  // frees the buffers
  void shrink();   // frees those that are not in use

  // Bytes of memory: of what is held, and of buffers for more.
  size_t held_bytes() const { return directions_[0].bytes() + directions_[1].bytes(); }
  bool anything_held() const { return directions_[0].waiting() || directions_[1].waiting(); }

  bool known(unsigned from) const { return directions_[from].known; }
  bool from_start(unsigned from) const {
    return directions_[from].from_start;
  }  // its SYN was seen or acknowledged
  uint32_t next_sequence(unsigned from) const { return directions_[from].next_sequence; }
  uint64_t acknowledged(unsigned from) const { return directions_[from].acked; }  // offset, by the peer
  const Stamp& acknowledged_at(unsigned from) const { return directions_[from].acked_at; }
  // Offset up to which it is known to have sent, by what was captured behind a hole.
  uint64_t sent(unsigned from) const { return directions_[from].sent; }
  // What showed first that there is a hole. Precondition: sent() is ahead of what was handed on.
  Stamp hole_shown(unsigned from) const {
    const Direction& d = directions_[from];
    return d.waiting() ? d.held[d.head].bytes.at : d.ahead_at;
  }
  // Where a sequence number of what `from` sends has its place in the stream.
  uint64_t offset_of(unsigned from, uint32_t sequence) const {
    int64_t ahead = 0;
    return directions_[from].place(sequence, ahead);
  }
  // And which number a place has.
  uint32_t sequence_of(unsigned from, uint64_t offset) const {
    return directions_[from].first_sequence + static_cast<uint32_t>(offset);
  }
  // The peer has acknowledged all that was handed on.
  bool all_acknowledged(unsigned from) const { return directions_[from].acked == directions_[from].next; }
  // Does a SYN with this sequence number belong to another connection?
  bool foreign_syn(unsigned from, uint32_t sequence) const;

 private:
  struct Held {
    StreamBytes bytes;   // captured is a view of copy
    uint64_t cause = 0;  // offset up to which the other direction must have come
    bool fin = false;
    std::vector<uint8_t> copy;
  };

  struct Direction {
    bool known = false;
    bool from_start = false;
    uint32_t first_sequence = 0;  // of offset 0
    uint32_t next_sequence = 0;   // of offset `next`
    uint64_t next = 0;            // everything before was handed on or declared missing
    uint64_t acked = 0;           // what the other side acknowledged
    Stamp acked_at;
    uint64_t sent = 0;  // offset that its sender is known to have reached
    Stamp ahead_at;     // a segment without data that was the first to show a hole
    uint32_t strays = 0;
    size_t held_bytes = 0;
    size_t head = 0;         // held[head] is the first one
    std::vector<Held> held;  // by offset
    std::vector<std::vector<uint8_t>> spare;
    size_t spare_bytes = 0;

    bool waiting() const { return head < held.size(); }
    size_t count() const { return held.size() - head; }
    size_t bytes() const { return held_bytes + spare_bytes + held.capacity() * sizeof(Held); }
    bool full() const { return held_bytes > kMaxHeldBytes || count() > kMaxHeldSegments; }
    void start(uint32_t sequence, bool is_start);
    uint64_t reached() const;  // offset up to which it is known to have sent
    void advance(uint64_t to);
    uint64_t place(uint32_t sequence, int64_t& distance) const;
    bool acknowledged_near(int64_t ahead) const {
      return static_cast<int64_t>(acked - next) >= ahead - kStrayDistance;
    }
    bool holds(const StreamBytes& bytes, bool fin) const;
    void hold(const StreamBytes& bytes, uint64_t cause, bool fin);
    void drop_head();
  };

  // A RST that its receiver may or may not have accepted.
  struct Reset {
    unsigned from = 0;
    Stamp at;
    std::array<uint64_t, 2> reached{};  // Direction::reached() of both by then
  };

  void synchronize(unsigned from, const TcpFields& tcp);
  void note_sent(unsigned from, uint32_t sequence, const Stamp& at);
  void reset(unsigned from, const TcpFields& tcp, const Stamp& at, Sink& sink);
  bool resets(unsigned from, const TcpFields& tcp) const;
  bool may_reset(const Direction& d, const TcpFields& tcp) const;
  uint64_t acknowledge(unsigned from, const TcpFields& tcp, const Stamp& at);
  bool take(unsigned from, const Packet& segment, uint64_t cause, const Stamp& at, Sink& sink);
  bool stray(Direction& d, uint32_t sequence, uint32_t length, const Stamp& at, unsigned from, Sink& sink);
  void deliver(unsigned from, StreamBytes bytes, bool fin, Sink& sink);
  void declare(unsigned from, uint64_t end, const Stamp& at, Sink& sink);
  void pump(const Stamp& at, Sink& sink, bool flush);
  bool deliver_one(Sink& sink);
  bool declare_one(const Stamp& at, Sink& sink, bool flush);

  std::array<Direction, 2> directions_;
  std::optional<Reset> doubtful_;
};

}  // namespace steertag::link
