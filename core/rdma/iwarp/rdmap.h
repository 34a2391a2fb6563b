// The RDMAP headers that follow the DDP header, RFC 5040 §4: those of a Read
// Request and of a Terminate. No other message has one. Messages reads them,
// scenarios write them.
#pragma once

#include <cstdint>

#include "rdma/iwarp/ddp.h"

namespace steertag::rdma::iwarp {

struct ReadRequestHeader {  // RFC 5040 §4.4
  static constexpr uint32_t kSize = 28;

  uint32_t sink_stag = 0;
  uint64_t sink_offset = 0;
  uint32_t size = 0;  // RDMARDSZ, bytes; zero validates nothing and moves nothing
  uint32_t source_stag = 0;
  uint64_t source_offset = 0;

  static void layout(auto& w, auto& s) {
    w.hex("sink_stag", s.sink_stag);
    w.hex("sink_to", s.sink_offset);
    w("rdma_read_size", s.size);
    w.hex("source_stag", s.source_stag);
    w.hex("source_to", s.source_offset);
  }
};

// RFC 5040 §4.8: the control word; then, each only where its bit says so, the length and the DDP header of
// the segment that the sender objects to and, if that was a Read Request, its RDMAP header.
struct TerminateHeader {
  uint8_t layer_etype = 0;
  uint8_t code = 0;
  uint8_t header_control = 0;
  uint8_t reserved = 0;
  uint16_t segment_length = 0;
  Control terminated;   // the first two bytes of the terminated DDP header ...
  TaggedHeader tagged;  // ... and all of it, in the one of these two forms that they announce
  UntaggedHeader untagged;
  ReadRequestHeader read_request;

  static constexpr uint8_t kLength = 0x80, kDdp = 0x40, kRdmap = 0x20;
  uint8_t layer() const { return layer_etype >> 4; }
  uint8_t etype() const { return layer_etype & 0xF; }
  bool has_ddp() const { return header_control & kDdp; }
  bool has_rdmap() const { return header_control & kRdmap; }

  // What it reports. `whole`: all of it could be read.
  Fault fault(Side from, const Stamp& at, bool whole) const {
    Fault fault;
    fault.kind = Fault::Kind::terminate;
    fault.from = from;
    fault.layer = layer();
    fault.etype = etype();
    fault.code = code;
    fault.at = at;
    if (whole && has_rdmap()) {
      fault.memory = Memory{read_request.source_stag, read_request.source_offset, read_request.size};
    } else if (whole && has_ddp() && terminated.tagged()) {
      fault.memory = Memory{tagged.stag, tagged.offset,
                            segment_length > TaggedHeader::kSize ? segment_length - TaggedHeader::kSize : 0u};
    }
    return fault;
  }

  static void layout(auto& w, auto& s) {
    w.hex("layer_etype", s.layer_etype);
    w.hex("error_code", s.code);
    w.hex("header_control", s.header_control);
    w.hex("reserved", s.reserved);
    if (s.header_control & (kLength | kDdp)) {
      w("ddp_segment_length", s.segment_length);
    }
    if (s.has_ddp()) {
      w("terminated", s.terminated);
      if (s.terminated.tagged()) {
        w.hex("stag", s.tagged.stag);
        w.hex("to", s.tagged.offset);
      } else {
        w.hex("invalidate_stag", s.untagged.invalidate_stag);
        w("qn", s.untagged.queue);
        w("msn", s.untagged.sequence);
        w("mo", s.untagged.offset);
      }
    }
    if (s.has_rdmap()) {
      w("read_request", s.read_request);
    }
  }
};

}  // namespace steertag::rdma::iwarp
