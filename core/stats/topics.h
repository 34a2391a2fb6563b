// Topics: what there is to say about one operation of one host that is asked for it, most often a server: how
// much of the time of its RPCs was whose, how often it failed, was not answered or had to be sent again, and
// which RPC shows it best. What judge.h draws its conclusions from. Bounded: further operations and servers
// are one topic, of which nothing is said.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "stats/dearest.h"
#include "stats/durations.h"
#include "stats/evidence.h"
#include "stats/operation.h"
#include "stats/rpc.h"
#include "stats/spells.h"

namespace steertag::stats {

// A part of the time of some RPCs.
struct Part {
  static constexpr int64_t kSlowNs = 10'000'000;

  uint64_t rpcs = 0;  // that had any of it
  uint64_t sum_ns = 0;
  Evidence longest;  // weight: ns
  Spells slow;       // when, and what it did to those RPCs that had at least kSlowNs of it

  // `when`: between what times it was.
  void add(const Rpc& rpc, int64_t ns, const Span& when);
  void renumber(const std::function<track::ConnectionNumber(track::ConnectionNumber)>& number);
  void add(const Part& other);
};

struct Topic {
  static constexpr size_t kMaxFailures = 16;  // kinds of failure, the rest are one

  Operation operation;
  base::Address server;   // the Responder: of callbacks, the client
  bool callback = false;  // the server is the Requester
  uint64_t rpcs = 0;
  Durations delivered;    // of all attempts
  Durations undisturbed;  // of those that did not wait for the network, nor for being sent again

  // Of the last attempt's time: what the Responder took before data or Reply; what the Requester took; moving
  // data by RDMA; waiting for what was lost.
  Part responder, requester, data, network;
  Dearest lossiest;                                 // that waited longest for the network; weight: ns
  int64_t least_own_ns = INT64_MAX;                 // the Responder's part of the RPC in which it is least
  std::array<uint64_t, flow::kPhases> phases_ns{};  // sums
  Part credits;                                     // before the Calls: at the limit of what was granted
  Part retried;                                     // RPCs that needed several attempts, from the first
  Part repeated;    // ... and those whose Responder had ignored the Call before: Rpc::ignored
  Part unanswered;  // that waited for a Reply until their connection or the capture ended

  struct Failure {
    std::string name;  // empty: of all further ones
    uint64_t rpcs = 0;
    Evidence first;
    Spells when;
  };
  std::vector<Failure> failures;  // by name

  void add(const Rpc& rpc);
  void add(const Topic& other);
  uint64_t failed() const;

 private:
  void add_times(const Rpc& rpc, int64_t took_ns);
  void add(const Failure& failure);
};

class Topics {
 public:
  static constexpr size_t kMaxTopics = 1024;

  void add(const Rpc& rpc);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Topics& share, const Renumber& number);

  std::vector<const Topic*> in_order() const;  // by operation and server

 private:
  struct Place {
    Operation operation;
    base::Address server;
    bool callback = false;

    friend bool operator==(const Place&, const Place&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Place& p) {
      return H::combine(std::move(h), p.operation, p.server, p.callback);
    }
  };
  Topic& topic(const Place& place);

  absl::flat_hash_map<Place, size_t> places_;
  std::vector<Topic> topics_;
  Topic further_;
};

}  // namespace steertag::stats
