// Profile: what is kept of a capture to compare it with another one: of each operation how often, how fast,
// how large, how it failed, and its use of RDMA; of all connections the credits and what was sent again.
// Nothing of it changes from one run of a workload to the next by its nature: no frame (but for examples), no
// time of day, no XID, no handle, no address. Bounded: RPCs of further operations count as one.
// Several can each hear of a share of the connections; one takes over what they have counted.
#pragma once

#include <absl/container/btree_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "diff/usage.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "frame.h"
#include "stats/operation.h"
#include "stats/rpc.h"
#include "stats/totals.h"
#include "track/connection.h"

namespace steertag::diff {

// RPCs that failed in one way.
struct Failed {
  uint64_t rpcs = 0;
  Stamp first;  // of their Calls

  void add(const Failed& other);
};

struct OperationProfile {
  static constexpr size_t kMaxFailures = 64;  // ways to fail; RPCs that fail in further ones are one

  stats::Totals totals;
  absl::btree_map<std::string, Failed> failures;  // by name: "NFS4ERR_STALE"
  Usage usage;                                    // of each attempt, where Calls were sent again

  void add(const stats::Rpc& rpc);
  void add(const OperationProfile& other);

 private:
  void add(const std::string& failure, const Failed& failed);
};

// Of all connections that carry RPC-over-RDMA.
struct ConnectionsProfile {
  static constexpr size_t kTransports = static_cast<size_t>(rdma::Transport::iwarp) + 1;

  uint64_t connections = 0;
  std::array<uint64_t, kTransports> transports{};  // by rdma::Transport
  std::array<uint64_t, 3> versions{};              // by number; 0: of another one
  std::optional<uint32_t> granted, requested;      // the most credits; of forward Calls
  uint64_t retransmitted = 0, naks = 0, rnr_naks = 0;

  void add(const track::Connection& connection);
  void add(const ConnectionsProfile& other);
};

class Profile {
 public:
  static constexpr size_t kMaxOperations = 4096;
  // As long without a Reply a Call has been in vain.
  static constexpr int64_t kInVainNs = 1'000'000'000;

  void add(const stats::Rpc& rpc);           // once it is known how it ended: stats::Attempts
  void add(const flow::Exchange& exchange);  // each attempt
  void note(const flow::Message& message);   // each one
  void close(const track::Connection& connection);
  void take_over(const Profile& share);

  using Operations = absl::btree_map<stats::Operation, OperationProfile>;
  const Operations& operations() const { return operations_; }
  const OperationProfile& further() const { return further_; }
  const ConnectionsProfile& connections() const { return connections_; }
  uint64_t rpcs() const { return rpcs_; }

 private:
  OperationProfile& of(const stats::Operation& operation);

  Operations operations_;
  OperationProfile further_;
  ConnectionsProfile connections_;
  uint64_t rpcs_ = 0;
};

}  // namespace steertag::diff
