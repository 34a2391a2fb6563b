// Messages: turns the FPDUs of both directions of one connection into RDMA operations: DDP
// segments become pieces of Sends, Writes and Reads, and each Read Response finds the Read
// Request that it answers (RFC 5040 §5.2).
//
// What breaks the protocol is reported as an Anomaly, where the messages before it are known.
//
// Fed by TcpConnection, in an order in which causes come before effects. Memory is bounded by the
// Read Requests outstanding, at most Reads::kMaxReads on each side.
#pragma once

#include <array>
#include <cstdint>

#include "frame.h"
#include "rdma/anomaly.h"
#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/framer.h"
#include "rdma/iwarp/reads.h"
#include "rdma/op.h"
#include "rdma/read_depth.h"
#include "wire/reader.h"

namespace steertag::rdma::iwarp {

class Messages {
 public:
  enum class Outcome : uint8_t {
    delivered,
    unreadable,  // the headers are not in the capture: what it carried is unknown
    terminated,  // a Terminate: the connection is over
  };

  explicit Messages(Listener& listener) : listener_(&listener) {}

  // The next FPDU of `from` is its first.
  void begin(Side from);
  Outcome on_fpdu(Side from, const Fpdu& fpdu);
  // What the latest Terminate says.
  const Fault& terminate() const { return terminate_; }
  // FPDUs of this side are missing.
  void on_gap(Side from);
  void release() {
    halves_[0].reads.release();
    halves_[1].reads.release();
  }
  size_t bytes() const { return halves_[0].bytes() + halves_[1].bytes(); }  // of the heap

 private:
  struct Order {  // of the messages of one queue, RFC 5041 §4.3
    bool known = false;
    bool open = false;      // the latest message goes on
    uint32_t sequence = 0;  // its MSN
    uint32_t next = 0;      // its next MO
    Stamp at;
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
    uint64_t write_start = 0;  // TO
    Stamp write_at;
    std::array<Order, 4> orders;  // by Queue
    uint32_t epoch = 0;           // counts the times that FPDUs were missing
    bool reads_doubtful = true;   // Reads that are not in `reads` may be outstanding
    Reads reads;
    ReadDepth depth;

    size_t bytes() const { return reads.bytes() + depth.bytes(); }
  };

  Outcome tagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op);
  Outcome untagged(Side from, wire::Reader& reader, const Control& control, RdmaOp& op, const Stamp& at);
  void write(Half& half, const TaggedHeader& header, RdmaOp& op);
  void read_response(Side from, const TaggedHeader& header, RdmaOp& op);
  void send(Half& half, const UntaggedHeader& header, RdmaOp& op);
  Outcome read_request(Half& half, wire::Reader& reader, RdmaOp& op);

  void note(Anomaly anomaly);
  void watch_versions(const Control& control);
  void watch_untagged(const UntaggedHeader& header, uint32_t length);
  void watch_order(const UntaggedHeader& header, uint32_t length, Order& order);
  void watch_write(const TaggedHeader& header);
  void watch_response(const TaggedHeader& header, uint32_t length);
  void cut_off(OpKind kind, uint64_t id, uint64_t bytes, const Stamp& start);
  void complete(Half& asker, size_t nth);

  Fault terminate_;
  Listener* listener_;
  std::array<Half, 2> halves_;
  // The current FPDU.
  Side from_ = Side::a;
  const Fpdu* fpdu_ = nullptr;
};

}  // namespace steertag::rdma::iwarp
