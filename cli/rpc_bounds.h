// RpcBounds: which RPCs are wanted, by when they were sent, between whom, and how long they
// were waited for: --from, --to, --client, --server, --min-latency. A part of the
// RpcSelection (rpc_selection.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

// A time on the command line: since the first frame, or since the epoch; ns.
struct When {
  bool absolute = false;
  int64_t ns = 0;

  // "12.5", "12.5s", "80ms"; "2026-11-23T15:04:05.5", UTC. Unset where it is neither.
  static std::optional<When> read(const std::string& text);
  int64_t since_epoch(int64_t origin_ns) const { return absolute ? ns : origin_ns + ns; }
};

// "10ms", "1.5s", "200us", "5000ns"; a bare number is seconds. ns; unset where it is none.
std::optional<int64_t> read_duration(const std::string& text);

struct RpcBounds {
  std::optional<When> from, to;               // of the Call, else of the Reply; `to` itself is outside
  std::optional<int64_t> min_latency;         // ns
  std::vector<std::string> clients, servers;  // addresses, as in the connection's line

  void prepare();  // brings addresses into the form of Address::text(); throws Failure where one is none
  // Whether RPCs of it may be wanted, as far as is known of its ends.
  bool wants(const track::Connection& connection) const;
  // Whether that lies between `from` and `to`. `origin_ns`: the first frame.
  bool within(int64_t time_ns, int64_t origin_ns) const;
  bool wants(const flow::Exchange& exchange, int64_t origin_ns) const;
  bool wants(const flow::Negotiation& negotiation, int64_t origin_ns) const;
};

void add_bounds_options(CLI::App& command, RpcBounds& bounds);

}  // namespace steertag::cli
