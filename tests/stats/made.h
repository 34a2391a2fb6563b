// Hand-made RPCs for the tests of stats/: what an Analyzer would report, without one. Each test
// changes what it is about; the defaults fill in the rest.
// A client 10.9.0.2 asks a server 10.9.0.1; times are in nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "rpcrdma/header.h"
#include "stats/load.h"
#include "stats/rpc.h"
#include "track/connection.h"

namespace steertag::stats {

inline constexpr int64_t kUs = 1'000, kMs = 1'000'000, kSecond = 1'000'000'000;

// What becomes of a number where there is one share.
inline track::ConnectionNumber same_number(track::ConnectionNumber number) {
  return number;
}

inline track::Connection made_connection(uint32_t number = 1, uint8_t client = 2, uint8_t server = 1) {
  track::Connection c;
  c.number = number;
  c.rpcrdma = true;
  c.ends[0].address = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, client});
  c.ends[1].address = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, server});
  c.client = rdma::Side::a;
  c.first_frame = {.number = 1};
  c.last_frame = {.number = 9000, .time_ns = 10 * kSecond};
  return c;
}

// Its first end rejects a request of the other: a NAK that ends the connection.
inline flow::Incident made_nak(const track::Connection& connection, const Stamp& at) {
  rdma::Fault fault;
  fault.kind = rdma::Fault::Kind::nak_invalid_request;
  fault.at = at;
  flow::Incident made;
  made.connection = &connection;
  made.what = fault;
  return made;
}

// Its client waits so long for a Reply, and another time as long.
inline void waits(Loads& loads, const track::Connection& connection, int64_t ns) {
  rpcrdma::TransportHeader header;
  flow::Message message;
  message.connection = &connection;
  message.header = &header;
  for (const int64_t begin_ns : {int64_t{0}, 4 * ns}) {
    message.direction = flow::Direction::call;
    message.from = rdma::Side::a;
    message.at.time_ns = begin_ns;
    loads.note(message);
    message.direction = flow::Direction::reply;
    message.from = rdma::Side::b;
    message.at.time_ns = begin_ns + ns;
    loads.note(message);
  }
}

// A READ of NFSv3, answered in frame + 1.
struct MadeRpc {
  flow::Exchange exchange;

  MadeRpc(const track::Connection& connection, uint64_t frame, int64_t at_ns = 0,
          std::string_view op = "READ", uint32_t version = 3) {
    exchange.connection = &connection;
    exchange.call = Stamp{.number = frame, .time_ns = at_ns};
    exchange.reply = Stamp{.number = frame + 1, .time_ns = at_ns};
    exchange.status = flow::Status::complete;
    exchange.procedure = flow::Exchange::Procedure{.program = 100003, .version = version, .procedure = 6};
    exchange.subject.op = op;
    exchange.subject.nfs_status = 0;
    exchange.subject.arguments_length = 100;
    exchange.subject.results_length = 4000;
  }
  // So long, of which the whole is this phase's.
  MadeRpc& took(int64_t ns, flow::Phase phase = flow::Phase::serve,
                flow::WaitedOn whom = flow::WaitedOn::responder) {
    exchange.timing.delivered_ns = exchange.timing.delivered_ns.value_or(0) + ns;
    exchange.timing.phases_ns[static_cast<size_t>(phase)] += ns;
    exchange.timing.waited_on = whom;
    return *this;
  }
  MadeRpc& recovered(int64_t ns) {
    took(ns, flow::Phase::reply, flow::WaitedOn::network);
    exchange.timing.recovery_ns = ns;
    return *this;
  }
  MadeRpc& failed(std::string_view name) {
    exchange.subject.nfs_status = 70;
    exchange.subject.nfs_status_name = name;
    return *this;
  }
  MadeRpc& no_reply(int64_t waited_ns) {
    exchange.reply.reset();
    exchange.status = flow::Status::no_reply;
    exchange.subject.nfs_status.reset();
    exchange.subject.results_length.reset();
    exchange.timing.unanswered_ns = waited_ns;
    return *this;
  }
  // Sent again, for the so manieth time, so long after the first; `earlier`: the frame of the Call before.
  MadeRpc& again(uint32_t attempts, uint64_t earlier, int64_t since_ns) {
    exchange.timing.attempts = attempts;
    exchange.timing.retry_of = flow::EarlierCall{.connection = 1, .call = {.number = earlier}};
    exchange.timeline.first_attempt = exchange.call->time_ns - since_ns;
    if (exchange.timing.delivered_ns) {
      exchange.timing.total_ns = *exchange.timing.delivered_ns + since_ns;
    }
    return *this;
  }
  operator const flow::Exchange&() const { return exchange; }  // NOLINT(google-explicit-constructor)
  operator Rpc() const { return rpc_of(exchange); }            // NOLINT(google-explicit-constructor)
};

}  // namespace steertag::stats
