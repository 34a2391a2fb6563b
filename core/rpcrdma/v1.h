// Version one of RPC-over-RDMA (RFC 8166 §4): the structures that follow the
// four fixed words, each spelled once, in wire order. Version two keeps the
// segments, chunks and lists byte for byte, so they are shared (rpcrdma/v2.h).
//
// In the letters that implementations use: P Position, H handle, L length,
// OO offset (two words), N a count. Every letter is one 32-bit word.
//
// Called through rpcrdma/header.h. Nothing is judged here: a handle of zero, an
// unaligned Position or an unknown procedure is read, kept and written back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.h"
#include "base/named.h"
#include "base/range.h"

namespace steertag::rpcrdma {

// A stretch of the Requester's registered memory: a plain segment (RFC 8166 §4.1.2).
struct Segment {        // HLOO
  uint32_t handle = 0;  // R_Key or STag
  uint32_t length = 0;  // bytes; in a Reply: bytes that the Responder placed there
  uint64_t offset = 0;  // virtual address or tagged offset of the first byte
  Range at;             // where the segment is in the message

  static void layout(auto& w, auto& s) {
    w.hex("handle", s.handle);
    w("length", s.length);
    w.hex("offset", s.offset);
  }
  // Segments are equal when they name the same memory, wherever they are.
  friend bool operator==(const Segment& a, const Segment& b) {
    return a.handle == b.handle && a.length == b.length && a.offset == b.offset;
  }
};

// A segment that the Responder is to pull with RDMA Reads. Neighbours in the
// Read list with the same Position form one Read chunk (RFC 8166 §3.4.5).
struct ReadSegment {      // PHLOO
  uint32_t position = 0;  // bytes into the RPC message where the data belongs; 0: Position-Zero Read chunk
  Segment target;
  Range at;

  static void layout(auto& w, auto& s) {
    w("position", s.position);
    w("target", s.target);
  }
  friend bool operator==(const ReadSegment& a, const ReadSegment& b) {
    return a.position == b.position && a.target == b.target;
  }
};

// Memory that the Responder fills with RDMA Writes: one result of the Write
// list, or the Reply chunk (RFC 8166 §3.4.6).
struct WriteChunk {  // N (HLOO)*N
  base::List<Segment> target;
  Range at;

  uint64_t length() const {  // bytes of all its segments
    uint64_t sum = 0;
    for (const Segment& segment : target) {
      sum += segment.length;
    }
    return sum;
  }

  static void layout(auto& w, auto& c) { w.counted("target", c.target); }
  friend bool operator==(const WriteChunk& a, const WriteChunk& b) { return a.target == b.target; }
};

// What RDMA_MSG, RDMA_NOMSG and RDMA_MSGP carry (RFC 8166 §4.3).
struct ChunkLists {
  base::List<ReadSegment> reads;  // (1 PHLOO)* 0
  base::List<WriteChunk> writes;  // (1 N (HLOO)*N)* 0
  base::List<WriteChunk> reply;   // 1 N (HLOO)*N, or 0: the Reply chunk, at most one

  bool empty() const { return reads.empty() && writes.empty() && reply.empty(); }
  size_t segments() const {  // of all three
    size_t count = reads.size();
    for (const auto* list : {&writes, &reply}) {
      for (const WriteChunk& chunk : *list) {
        count += chunk.target.size();
      }
    }
    return count;
  }
  bool has_position_zero() const {  // a Position-Zero Read chunk, be it of no bytes
    return std::any_of(reads.begin(), reads.end(),
                       [](const ReadSegment& read) { return read.position == 0; });
  }
  uint64_t position_zero_length() const {  // bytes; 0 also where there is none
    uint64_t sum = 0;
    for (const ReadSegment& read : reads) {
      sum += read.position == 0 ? read.target.length : 0;
    }
    return sum;
  }
  uint64_t reply_length() const { return reply.empty() ? 0 : reply[0].length(); }  // bytes; the same
  void clear() {
    reads.clear();
    writes.clear();
    reply.clear();
  }

  static void layout(auto& w, auto& c) {
    w.chain("rdma_reads", c.reads);
    w.chain("rdma_writes", c.writes);
    w.optional("rdma_reply", c.reply);
  }
  friend bool operator==(const ChunkLists&, const ChunkLists&) = default;
};

namespace v1 {

// rdma_proc (RFC 8166 §4.2.4).
enum class Proc : uint32_t {
  msg = 0,
  nomsg = 1,
  msgp = 2,  // RFC 5666 only: RFC 8166 §4.2.4 forbids sending it
  done = 3,  // RFC 5666 only
  error = 4,
};

inline std::string_view text(Proc proc) {  // the XDR name; empty where version one has none
  static constexpr std::string_view names[] = {"RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE",
                                               "RDMA_ERROR"};
  return base::named<Proc::error>(names, proc);
}

// What RDMA_MSGP says before its chunk lists (RFC 5666 §4.3). The pad that it
// announces is inside the payload and is left there.
struct Padding {
  uint32_t align = 0;   // bytes: padded data starts at a multiple of this
  uint32_t thresh = 0;  // bytes: data from this size on is padded

  static void layout(auto& w, auto& p) {
    w("rdma_align", p.align);
    w("rdma_thresh", p.thresh);
  }
  friend bool operator==(const Padding&, const Padding&) = default;
};

// rdma_err (RFC 8166 §4.5).
enum class ErrorCode : uint32_t { vers = 1, chunk = 2 };

inline std::string_view text(ErrorCode code) {
  static constexpr std::pair<ErrorCode, std::string_view> names[] = {{ErrorCode::vers, "ERR_VERS"},
                                                                     {ErrorCode::chunk, "ERR_CHUNK"}};
  return base::named(names, code);
}

// The body of RDMA_ERROR (RFC 8166 §4.5). RFC 5666 let codes to come carry eight
// more words; RFC 8166 took them out, so they may be there or not.
struct Error {
  using Extra = std::array<uint8_t, 32>;  // uint32 rdma_extra[8], whatever it means

  ErrorCode code{};
  uint32_t vers_low = 0;            // vers: the range that the Responder supports, both ends included
  uint32_t vers_high = 0;           // vers
  std::optional<Extra> extra = {};  // neither vers nor chunk: where anything follows (RFC 5666 §4.3)

  static void layout(auto& w, auto& e) {
    every_version(w, e);
    if (e.code != ErrorCode::vers && e.code != ErrorCode::chunk) {
      w.array_if_any("rdma_extra", e.extra);
    }
  }
  // What no version changes (RFC 8166 §7): ERR_VERS. Other codes are each version's own.
  static void every_version(auto& w, auto& e) {
    w("rdma_err", e.code);
    if (e.code == ErrorCode::vers) {
      w("rdma_vers_low", e.vers_low);
      w("rdma_vers_high", e.vers_high);
    }
  }
  friend bool operator==(const Error&, const Error&) = default;
};

}  // namespace v1

// rdma_proc of a version that is not known here: the one value that cannot change, since version
// mismatches are reported with it (RFC 8166 §7, RFC 5666 §4.1).
enum class ProcOfAnyVersion : uint32_t { error = 4 };

constexpr std::string_view text(ProcOfAnyVersion proc) {
  return proc == ProcOfAnyVersion::error ? "RDMA_ERROR" : std::string_view{};
}

}  // namespace steertag::rpcrdma
