// Transport: one connection as the fabric sees it. The Stage says what is sent,
// read and written; a RoceTransport or an IwarpTransport turns that into
// Datagrams, with sequence numbers, acknowledgements and responses. Network
// headers come later (network.h), faults of the network in between (faults.h).
// Between begin() and end() comes one line of the scenario; packets are
// counted within it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rdma/op.h"
#include "scenario/arguments.h"
#include "scenario/script.h"
#include "wire/outline.h"

namespace steertag::scenario {

struct Datagram {
  enum class Kind : uint8_t { setup, request, response, acknowledgment };

  uint32_t connection = 0;
  uint32_t line = 0;
  Side from = kClient;
  Kind kind = Kind::request;
  std::vector<uint8_t> bytes;  // RoCE: from the BTH through the pad; iWARP: the TCP segment's data

  uint32_t psn = 0;                         // RoCE
  std::optional<rdma::Memory> rest;         // RoCE, response: what its Read delivers from this packet on
  uint32_t sequence = 0, acknowledged = 0;  // TCP
  bool syn = false, ack = true, fin = false, rst = false;  // TCP
  uint16_t window = 0xFFFF;                                // TCP

  uint32_t number = 0;        // in its line, from 1; 0: a copy made by a fault
  bool bad_checksum = false;  // RoCE: the ICRC is wrong
  bool marked = false;        // ECN's CE
  bool recorded = true;       // in the capture
  bool twice = false;         // a copy that the capture made: the same down to the IP header
  std::optional<uint32_t> truncate;
  std::optional<IcmpLine> icmp;    // it is that instead, about the latest of the peer
  std::optional<PauseLine> pause;  // or that
  int64_t delay_ns = 0;            // beside what passes between packets anyway
};

class Transport {
 public:
  struct Send {
    Bytes bytes;
    std::optional<uint32_t> invalidate;
    bool solicited = false;
    bool immediate = false;
  };

  explicit Transport(const ConnectionSpec& spec) : spec_(spec) {}
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // What follows belongs to a line that `from` speaks. `burst`: Read Requests go
  // out one after the other, and their Responses follow at the end.
  void begin(const Handling& handling, Side from, bool burst, std::vector<Datagram>& out, Problem& problem);
  // The side that owes an acknowledgement sends it, or the error that the line asks for.
  void end(Side from);

  // What sending so many bytes comes to: a packet counts as 512 bytes at least, so that pieces of a few bytes
  // do not make of a message more packets than fit into memory.
  uint64_t cost(uint64_t bytes) const;

  virtual void connect(const ConnectionSpec& spec, Side active) = 0;
  virtual void disconnect(Side from, bool reset) = 0;
  virtual void send(Side from, const Send& send) = 0;
  virtual void write(Side from, const rdma::Memory& memory, Bytes data, bool immediate) = 0;
  // `memory.length` is requested, `data` delivered.
  void read(Side from, const rdma::Memory& memory, Bytes data);
  virtual void complain(Side from, const ComplaintLine& complaint) = 0;
  virtual void acknowledge_stray(Side /*from*/, const AckLine& /*line*/) {}
  virtual void slow_down(Side /*from*/) {}                // packets to `from` were marked
  virtual void say_room(Side /*from*/, bool /*room*/) {}  // whether `from` takes more bytes

  void say_icmp(Side from, const IcmpLine& error);
  void pause(Side from, const PauseLine& line);

  // Packets of the line so far were lost, the first of them at `first`: what the
  // other end says about it, and what is retransmitted.
  virtual std::vector<Datagram> repair(const std::vector<Datagram>& line, size_t first,
                                       const std::vector<bool>& lost) = 0;

 protected:
  // Counts a packet. False where the line leaves it out.
  bool next_packet();
  // Applies the line's patches to the packet that was counted last.
  void patch(const std::vector<wire::Node>& nodes, std::vector<uint8_t>& bytes);
  // The value that the line gives to something of the packet that was counted
  // last, which is not a field of a header.
  std::optional<uint64_t> patched_value(std::string_view name);
  bool bad_checksum() const { return contains(handling_->bad_checksum, packet_); }
  Datagram& add(Side from, Datagram::Kind kind, std::vector<uint8_t> bytes);

  virtual bool iwarp() const = 0;
  // A Read Request, and what its Responses need to know of it.
  struct Request {
    Side from = kClient;
    uint32_t psn = 0;        // RoCE
    uint32_t sink_stag = 0;  // iWARP
    rdma::Memory memory;
    std::vector<uint8_t> data;
  };
  virtual void request_read(Request& request) = 0;  // fills in the rest
  virtual void respond(const Request& request) = 0;

  virtual void rewind(Side from) = 0;       // `again`: to where this side's previous line began
  virtual void mark(Side from) = 0;         // this is where a line begins
  virtual void forward(Side from) = 0;      // end of `again`: never before what was already sent
  virtual void acknowledge(Side from) = 0;  // if it owes one
  virtual void receiver_not_ready(Side from) = 0;

  ConnectionSpec spec_;
  std::vector<Datagram>* out_ = nullptr;
  const Handling* handling_ = nullptr;
  Problem* problem_ = nullptr;

 private:
  void respond_all();

  uint32_t packet_ = 0;
  std::vector<bool> patched_;
  bool burst_ = false;
  std::vector<Request> unanswered_;  // Reads of a burst
};

// The private data of one end; empty where it sends none.
std::vector<uint8_t> private_data(const PrivateSpec& spec);

}  // namespace steertag::scenario
