// Attempts: the connections for NFS/RDMA that did not come up. It hears of CM messages and of TCP
// connections, of those that carry RPCs, and of NFS over TCP; when the capture is over it reports what
// failed: tries with the same ends, port, outcome and reason together, in the order in which they began.
//
// A try is for NFS/RDMA where its private data says so, where its port is one of those known, or where
// another one between the same hosts and for the same port is.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "attempt/attempt.h"
#include "attempt/cm_tries.h"
#include "rdma/roce/cm.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/tcp_setup.h"

namespace steertag::attempt {

class Attempts {
 public:
  static constexpr size_t kMostGroups = 4096;  // attempts that are told apart; others are not counted
  static constexpr size_t kMostPairs = 16384;  // pairs of hosts of which it knows what came up, and the ports
  // The latest times that something came up between two hosts, to be found as what a client did next.
  static constexpr size_t kMostSuccesses = 64;
  // An answer takes milliseconds. What was asked so shortly before the capture ends may yet be answered.
  static constexpr int64_t kAnswerNs = 500'000'000;

  // `ports`: where NFS/RDMA is expected, in host byte order.
  explicit Attempts(std::vector<uint16_t> ports);

  void on_cm(const track::Arrival& arrival, const rdma::roce::CmMessage& cm) { cm_.on_message(arrival, cm); }
  // An ICMP error about a datagram of RoCE.
  void on_icmp(const link::IcmpError& error, const Stamp& at) { cm_.on_icmp(error, at); }
  // A TCP connection that carries no RPC-over-RDMA is over, or the capture is.
  void on_tcp(const track::TcpSetup& setup, const track::Connection& connection);
  // It carries RPC-over-RDMA.
  void on_came_up(const track::Connection& connection);
  // Nothing more will come of a connection of RoCE or InfiniBand.
  void on_over(const track::Connection& connection) { cm_.on_over(connection); }

  // The capture is over. Returns the attempts, in the order of their first frames.
  std::vector<Attempt> finish(const CmTries::Reached& reached = {});

 private:
  struct Group {  // what tries of one Attempt have in common
    rdma::Transport transport{};
    base::Address client, server;
    uint16_t port = 0;
    Outcome outcome{};
    Reason reason;
    base::Address by;  // of an ICMP error
    friend auto operator<=>(const Group&, const Group&) = default;
  };
  using Place = std::tuple<base::Address, base::Address, uint16_t>;  // client, server, port; 0: unknown
  struct Success {
    Stamp at;
    track::ConnectionNumber conn;  // 0: NFS over TCP
  };

  static Place place_of(const track::Connection& connection);
  bool known(uint16_t port) const;
  void add(Try&& failed);
  void note_place(const Place& place);
  void note_success(const track::Connection& connection, const Stamp& at);
  void settle(Attempt& attempt) const;
  static bool may_yet_come(const Attempt& attempt, const CmTries::Reached& reached);

  std::vector<uint16_t> ports_;
  absl::btree_map<Group, Attempt> groups_;
  absl::flat_hash_set<Place> places_;  // for NFS/RDMA
  absl::flat_hash_map<std::pair<base::Address, base::Address>, std::vector<Success>> successes_;
  CmTries cm_;
};

}  // namespace steertag::attempt
