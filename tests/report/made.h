// Hand-made connections, messages and exchanges for the tests of report/: what
// the engine would hand out, without an engine. Each test changes what it is
// about; the defaults fill in the rest.
// Times are small numbers of nanoseconds, so that expectations stay readable.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "flow/exchange.h"
#include "flow/message.h"
#include "report/buffer.h"
#include "rpcrdma/header.h"
#include "track/connection.h"

namespace steertag::report {

inline base::Address address(uint8_t last) {
  return base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, last});
}

inline Stamp stamp(uint64_t number, int64_t time_ns = 0, uint32_t file = 0) {
  return Stamp{.number = number, .file = file, .time_ns = time_ns};
}

// Client 10.9.0.2 is side a, server 10.9.0.1 side b; RoCEv2.
inline track::Connection made_connection() {
  track::Connection c;
  c.number = 1;
  c.ends[0].address = address(2);
  c.ends[0].qpn = 0x11;
  c.ends[1].address = address(1);
  c.ends[1].qpn = 0x12;
  c.client = rdma::Side::a;
  c.first_frame = stamp(1);
  c.last_frame = stamp(90, 2'000'000'000);
  c.rpcrdma = true;
  c.version = 1;
  return c;
}

inline rpcrdma::TransportHeader made_header(uint32_t version, uint32_t procedure) {
  rpcrdma::TransportHeader h;
  h.xid = 0x1a2b3c4d;
  h.version = version;
  h.credit = 32;
  h.procedure = procedure;
  return h;
}

inline rpcrdma::Segment segment(uint32_t handle, uint32_t length, uint64_t offset) {
  return rpcrdma::Segment{.handle = handle, .length = length, .offset = offset, .at = {}};
}

// What RDMA carried of a segment: its first bytes, in so many operations and in these frames.
inline flow::TrafficRef traffic(uint64_t moved, uint32_t ops, const std::vector<Stamp>& frames) {
  static base::Budget budget;
  static flow::TrafficPool pool(budget);
  flow::Traffic made;
  made.moved.add(0, moved);
  made.ops = ops;
  made.frames.assign(frames.begin(), frames.end());
  return pool.make(made);
}

// A message with this header and payload, encoded and read back as the engine
// does; of its Send only `captured` bytes are there.
struct MadeMessage {
  explicit MadeMessage(const rpcrdma::TransportHeader& sent, const std::vector<uint8_t>& payload = {},
                       size_t captured = SIZE_MAX)
      : connection(made_connection()) {
    rpcrdma::encode(sent, bytes);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    message.length = static_cast<uint32_t>(bytes.size());
    bytes.resize(std::min(bytes.size(), captured));
    read();
  }

  // A message whose Send consists of these bytes.
  explicit MadeMessage(std::vector<uint8_t> sent) : connection(made_connection()), bytes(std::move(sent)) {
    message.length = static_cast<uint32_t>(bytes.size());
    read();
  }
  MadeMessage(const MadeMessage&) = delete;
  MadeMessage& operator=(const MadeMessage&) = delete;

  track::Connection connection;
  std::vector<uint8_t> bytes;
  rpcrdma::TransportHeader header;
  rpcrdma::RpcHeader rpc;
  std::vector<Stamp> frames = {stamp(7, 1'500'000'000)};
  flow::Message message;

 private:
  void read() {
    message.connection = &connection;
    message.at = frames.back();
    message.frames = frames;
    message.bytes = bytes;
    message.decoded = rpcrdma::decode(bytes, message.length, header);
    message.header = &header;
    message.payload = slice(bytes, message.decoded.header_length);
    message.payload_length = message.length - message.decoded.header_length;
    if (!message.decoded.stop && header.is_msg() && !message.payload.empty()) {
      message.rpc_decoded = rpcrdma::decode(message.payload, message.payload_length, rpc);
      message.rpc = &rpc;
    }
  }
};

// The payload of a Call: NFSv4 COMPOUND without credentials and arguments, 40 bytes.
inline std::vector<uint8_t> made_call() {
  rpcrdma::RpcHeader rpc;
  rpc.xid = 0x1a2b3c4d;
  rpc.type = rpcrdma::MsgType::call;
  rpc.rpcvers = 2;
  rpc.program = 100003;
  rpc.version = 4;
  rpc.procedure = 1;
  std::vector<uint8_t> out;
  rpcrdma::encode(rpc, out);
  return out;
}

// What a function of report/ appends.
template <typename F>
std::string printed(F&& print) {
  Buffer out;
  print(out);
  return std::string(view(out));
}

}  // namespace steertag::report
