// Messages: what the FPDUs of both directions of one connection say, as RDMA
// operations: DDP segments become pieces of Sends, Writes and Reads, and each
// Read Response finds the Read Request that it answers (RFC 5040 §5.2).
//
// Fed by Engine, in an order in which causes come before effects. Memory is
// bounded by the Read Requests outstanding, at most kMaxOutstandingReads a side.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "frame.h"
#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/framer.h"
#include "rdma/op.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {

// RFC 6581 §9: IRD is a 14-bit number; the oldest is forgotten beyond it.
inline constexpr size_t kMaxOutstandingReads = 0x3FFF;

class Messages {
 public:
  enum class Outcome : uint8_t {
    delivered,
    unreadable,  // the headers are not in the capture: what it carried is unknown
    terminated,  // a Terminate: the connection is over
  };

  explicit Messages(Listener& listener) : listener_(&listener) {}

  Outcome on_fpdu(Side from, const Fpdu& fpdu);
  // FPDUs of this side are missing.
  void on_gap(Side from);
  void release();

 private:
  struct Read {  // a Read Request that waits for its Response
    uint32_t sink_stag = 0;
    uint64_t sink_offset = 0;
    Memory source;
    uint64_t id = 0;
    bool begun = false;
  };
  struct Half {
    uint64_t started = 0;  // operations, the ids given out
    bool send_open = false;
    uint32_t send_sequence = 0;  // MSN
    uint64_t send_id = 0;
    bool write_open = false;
    bool write_doubtful = false;  // segments are missing: the next may open a Write or continue one
    uint32_t write_stag = 0;
    uint64_t write_next = 0;  // TO
    uint64_t write_id = 0;
    size_t first_read = 0;
    std::vector<Read> reads;  // reads[first_read] is the oldest

    bool has_reads() const { return first_read < reads.size(); }
    void push(const Read& read);
    void pop(size_t count);
  };

  Outcome tagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op);
  Outcome untagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op, const Stamp& at);
  void write(Half& half, const TaggedHeader& header, RdmaOp& op);
  void read_response(Side from, const TaggedHeader& header, RdmaOp& op);
  void send(Half& half, const UntaggedHeader& header, RdmaOp& op);
  Outcome read_request(Half& half, wire::Reader& reader, RdmaOp& op);
  Outcome terminate(Side from, wire::Reader& reader, const Stamp& at);

  Listener* listener_;
  std::array<Half, 2> halves_;
};

}  // namespace steertag::rdma::iwarp
