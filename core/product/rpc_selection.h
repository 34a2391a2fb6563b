// RpcSelection: which RPCs are wanted: of which connection and with which XID (Filter), what they were about
// (RpcChoice), when and between whom (RpcBounds). Products that tell of RPCs one by one or all together
// choose them alike. Who fills these in has checked names and addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event.h"

namespace steertag::product {

// Which RPCs and messages are wanted. An empty list means all.
struct Filter {
  std::vector<uint32_t> connections;  // numbers
  std::vector<uint32_t> xids;

  // A sentence about a connection that was asked for and is not among the announced ones (their numbers).
  std::optional<std::string> missing(const std::vector<uint32_t>& announced) const;
  bool wants_connection(uint32_t number) const;
  bool wants_xid(uint32_t xid) const;
  bool all() const { return connections.empty() && xids.empty(); }
};

struct RpcChoice {
  std::vector<std::string> procedures, operations;  // by name, as report/select.h has them; empty: all
  bool incomplete = false;
  bool failed = false;

  bool all() const { return procedures.empty() && operations.empty() && !incomplete && !failed; }
  bool wants(const flow::Exchange& exchange) const;
  bool wants(const flow::Negotiation& negotiation) const;
};

// A time: since the first frame, or since the epoch; ns.
struct When {
  bool absolute = false;
  int64_t ns = 0;

  int64_t since_epoch(int64_t origin_ns) const { return absolute ? ns : origin_ns + ns; }
};

struct RpcBounds {
  std::optional<When> from, to;               // of the Call, else of the Reply; `to` itself is outside
  std::optional<int64_t> min_latency;         // ns
  std::vector<std::string> clients, servers;  // addresses, as base::Address::text() has them

  bool all() const { return !from && !to && !min_latency && clients.empty() && servers.empty(); }
  // Whether RPCs of it may be wanted, as far as is known of its ends.
  bool wants(const track::Connection& connection) const;
  // Whether that lies between `from` and `to`. `origin_ns`: the first frame.
  bool within(int64_t time_ns, int64_t origin_ns) const;
  bool wants(const flow::Exchange& exchange, int64_t origin_ns) const;
  bool wants(const flow::Negotiation& negotiation, int64_t origin_ns) const;
};

struct RpcSelection {
  Filter filter;
  RpcChoice choice;
  RpcBounds bounds;

  bool all() const { return filter.all() && choice.all() && bounds.all(); }  // of the capture are wanted
  // Whether RPCs of it may be wanted, as far as is known of its ends.
  bool wants(const track::Connection& connection) const;
  // `origin_ns`: the first frame.
  bool wants(const flow::Exchange& exchange, int64_t origin_ns) const;
  bool wants(const flow::Negotiation& negotiation, int64_t origin_ns) const;
};

}  // namespace steertag::product
