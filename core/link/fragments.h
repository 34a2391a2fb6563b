// Reassembler: puts IP datagrams together from their fragments, in whatever
// order those come. Memory is bounded by the constants below; the datagram that
// was begun first gives way.
//
// A datagram whose fragments overlap, or disagree about its end, is given up
// with everything that still comes of it (RFC 5722 §4); the mere repetition of a
// fragment is not an overlap. Where a capture holds every fragment twice, the second
// ones may make a second datagram, or be left over once the first is complete; what is
// left over is soon forgotten.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/address.h"
#include "base/newest.h"
#include "link/counters.h"
#include "link/ip.h"

namespace steertag::link {

class Reassembler {
 public:
  static constexpr size_t kMaxDatagrams = 64;              // open at a time
  static constexpr size_t kMaxBytes = 1 << 20;             // held by all of them
  static constexpr size_t kMaxFragments = 256;             // of one datagram
  static constexpr size_t kMaxHeader = 256;                // bytes of IP header and options of one
  static constexpr int64_t kLifetime_ns = 30'000'000'000;  // RFC 1122 §3.3.2, RFC 8200 §4.5

  static constexpr int64_t kEcho_ns = 2'000'000;  // how much later a second copy of fragments may come

  // Takes a fragment (precondition: ip.fragment is set). Returns true when it
  // completes its datagram: `whole` is then that datagram as it was before it
  // was cut up, IP header included (its checksum not recomputed), good until
  // the next call of add(). Where a fragment was cut by the capture, what
  // follows the cut counts as not captured.
  bool add(const IpHeader& ip, int64_t time_ns, Counters& counters, Stretch& whole);

 private:
  struct Piece {
    uint32_t offset = 0;    // bytes from the start of the content
    uint32_t length = 0;    // on the wire
    uint32_t captured = 0;  // so many of these, the first ones, are in the buffer
    uint32_t end() const { return offset + length; }
  };
  struct Datagram {
    bool open = false;
    bool poisoned = false;  // given up; kept so that its late fragments are recognised
    base::Address source, destination;
    uint32_t id = 0;
    uint8_t protocol = 0;
    bool v6 = false;
    bool echo = false;           // the same datagram was put together just before
    uint64_t begun = 0;          // order of arrival
    int64_t time_ns = 0;         // of its first fragment to arrive
    uint32_t total = 0;          // length of the content; 0 while not known
    uint32_t header_length = 0;  // 0 while the first fragment is missing
    uint32_t protocol_at = 0;
    std::vector<Piece> pieces;    // by offset
    std::vector<uint8_t> buffer;  // kMaxHeader bytes of room for the header, then the content
  };
  // A datagram that was put together.
  struct Whole {
    base::Address source, destination;
    uint32_t id = 0;
    uint8_t protocol = 0;
    bool v6 = false;
    int64_t time_ns = 0;
  };
  enum class Fit : uint8_t { fits, repeats, contradicts };

  Datagram& find_or_open(const IpHeader& ip, int64_t time_ns, Counters& counters);
  bool just_whole(const IpHeader& ip, int64_t time_ns) const;
  Fit fit(const Datagram& datagram, const IpHeader& ip, const Piece& piece) const;
  void insert(Datagram& datagram, const IpHeader& ip, const Piece& piece);
  bool complete(const Datagram& datagram) const;
  Stretch rebuild(Datagram& datagram);
  void make_room(const Datagram& keep, size_t bytes, Counters& counters);
  void poison(Datagram& datagram);
  void close(Datagram& datagram);
  void release(Datagram& datagram);

  std::array<Datagram, kMaxDatagrams> datagrams_;
  base::Newest<Whole, kMaxDatagrams> whole_;
  std::vector<uint8_t> delivered_;  // the buffer of the last whole datagram
  size_t bytes_ = 0;                // sum of the open datagrams' buffers
  uint64_t next_ = 1;
};

}  // namespace steertag::link
