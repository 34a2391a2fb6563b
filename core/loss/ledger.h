// Ledger: keeps the losses of all connections, the RPCs that waited for them, and their sums by connection
// and sender. Several Ledgers can each hear of a share of the connections, and one takes over the others.
// Beyond a limit a Ledger adds losses up and does not list them.
#pragma once

#include <absl/container/btree_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/address.h"
#include "flow/exchange.h"
#include "flow/loss.h"
#include "track/connection.h"
#include "track/connection_number.h"

namespace steertag::loss {

struct WaitingRpc {
  track::ConnectionNumber connection;
  uint32_t xid = 0;
};

struct Entry {
  static constexpr size_t kMostRpcs = 64;

  track::ConnectionNumber connection;
  bool tcp = false;  // its packets are TCP segments, and are numbered so
  base::Address from, to;
  flow::Loss loss;
  std::vector<WaitingRpc> rpcs;  // that waited for it, by their Calls; at most kMostRpcs
};

// What one end of a connection sent, and what became of it.
struct Sums {
  base::Address from, to;
  std::array<uint64_t, 4> packets{};  // of data, lost or refused, by flow::Loss::Where
  std::array<uint64_t, 4> bytes{};    // the same
  uint64_t acknowledgments = 0;       // that were lost
  uint64_t setups = 0;                // REQs and SYNs that were sent again
  std::array<uint64_t, 5> noticed{};  // how many losses, by flow::Loss::NoticedBy
  uint64_t losses = 0;
  uint64_t sent_again = 0;  // packets or segments, for whatever reason: track::End::retransmissions
};

class Ledger {
 public:
  static constexpr size_t kMostLosses = 65536;
  static constexpr size_t kMostWaits = 65536;
  static constexpr size_t kMostConnections = 16384;

  void note(const track::Connection& connection, const flow::Loss& loss);
  void note(const flow::Exchange& exchange);        // once it is timed
  void close(const track::Connection& connection);  // nothing more comes of it
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(Ledger& share, const Renumber& number);

  // Those that were kept, by the time of their first sign; with the RPCs that waited.
  std::vector<Entry> entries() const;
  // The same of at most so many: those that took the longest, or are not known to be over.
  std::vector<Entry> longest(size_t most) const;
  uint64_t losses() const { return losses_; }  // in all
  using ByConnection = absl::btree_map<track::ConnectionNumber, std::array<Sums, 2>>;
  // Of both ends of those on which anything was lost or sent again.
  const ByConnection& sums() const { return sums_; }
  // Of some connection one direction is captured: what was lost may show in the other.
  bool one_direction() const { return one_direction_; }

 private:
  // A time in which an RPC waited for what was lost, or for an answer that never came.
  struct Wait {
    WaitingRpc rpc;
    int64_t begin_ns = 0, end_ns = 0;
  };

  Sums* sums(const track::Connection& connection, rdma::Side from);
  void add(Entry entry);

  std::vector<Entry> entries_;
  std::vector<Wait> waits_;
  ByConnection sums_;
  uint64_t losses_ = 0;
  bool one_direction_ = false;
};

}  // namespace steertag::loss
