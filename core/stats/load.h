// Load: how one connection fared: the credits that its client was granted and made use of, round trips, what
// was lost and sent again, what the network said of itself, how much went each way. Loads collects them, one
// a connection that carries RPC-over-RDMA, in bounded memory: beyond so many connections further ones
// are added up.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/address.h"
#include "base/rare.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "frame.h"
#include "history/grant_trend.h"
#include "rdma/op.h"
#include "stats/busy.h"
#include "stats/dearest.h"
#include "stats/evidence.h"
#include "stats/span.h"
#include "stats/spells.h"
#include "timing/acceptance.h"
#include "timing/transit.h"
#include "track/connection.h"
#include "track/connection_number.h"

namespace steertag::stats {

// What is lost is sent again; an outage is where that is in vain, so often, and for so long.
inline constexpr uint32_t kOutageRepeats = 3;
inline constexpr int64_t kOutageNs = 1'000'000'000;

// That a receiver was not ready is worth a remark where it was so often.
inline constexpr uint64_t kNotReadyLeast = 3;

// A grant that was reduced has stayed so for as many Replies.
inline constexpr uint64_t kLastingGrants = 16;

// The least DSCPs of some packets (RFC 2474), ascending; behind them 0xFF.
using Dscps = std::array<uint8_t, 4>;
inline constexpr Dscps kNoDscps = {0xFF, 0xFF, 0xFF, 0xFF};

// RPCs that waited for packets that one end refused (RNR NAK): how many, for how long, when, and the longest.
struct Refusing {
  uint64_t rpcs = 0, ns = 0;
  Spells when;
  Evidence longest;

  void note(const Evidence& rpc, const Span& span);
};

// What happened to one end of a connection, or was its doing.
struct EndLoad {
  base::Address address;
  Dscps dscps = kNoDscps;             // of its packets
  std::optional<int64_t> rtt_ns;      // between the tap and this end, the shortest
  uint64_t retransmitted = 0;         // packets or segments that it sent again
  Stamp first_again, last_again;      // ... the first and the last of them, where there are any
  uint64_t naks = 0, rnr_naks = 0;    // that it sent
  uint64_t zero_windows = 0;          // times that it closed its TCP window
  Stamp first_not_ready;              // the first of its RNR NAKs and closed windows, where there is any ...
  Span not_ready;                     // ... from that to the last
  base::Rare<Refusing> refusing;      // what that cost
  uint64_t ecn_ce = 0;                // packets that it sent and the network marked
  uint64_t cnps = 0;                  // that it sent
  uint64_t bytes = 0;                 // of RPC messages that it sent, chunks included, each once
  uint64_t gaps = 0;                  // times that the capture misses packets of it
  timing::Passage passage;            // of its packets
  timing::Acceptance::Outage outage;  // the longest
};

struct Load {
  // The end of which nothing got through for longest; null where there was no outage.
  const EndLoad* cut_off() const;
  // Pause frames kept a link shut for much of the time of this RPC, which took long.
  bool is_paused(const Evidence& rpc) const;
  // Whether each end was not ready so often that it is worth a remark of its own.
  bool both_not_ready() const;
  // What to look at where a receiver was not ready: the RPC that met most of it; else, weighing nothing, the
  // first RNR NAK or closed window. `of`: of that end alone; null: of both.
  Evidence not_ready(const EndLoad* of) const;

  track::ConnectionNumber number;
  rdma::Transport transport = rdma::Transport::roce2;
  bool roles_known = true;
  EndLoad client, server;      // where the roles are not known: the side that was seen first, the other
  track::Credits credits;      // of the client
  uint32_t requested_max = 0;  // rdma_credit of its Calls: what it asked for
  Stamp first, last;           // frames
  int64_t busy_ns = 0;         // of the time between, in which the client waited for a Reply
  std::array<uint64_t, flow::kWaitedOns> spent_ns{};  // of its RPCs' time, by flow::WaitedOn; callbacks apart
  std::optional<history::GrantTrend::Reduced> reduced;  // its grant, to the end
  std::optional<Stamp> first_mark;                      // of a CE mark or a CNP ...
  Spells marked;                                        // ... and when it was
  uint64_t pauses = 0;                                  // pause frames captured meanwhile, of any link
  // RPCs that met CE marks or CNPs on their way, or that pause frames kept waiting for much of their time;
  // of these, those that took longest.
  uint64_t congested = 0;
  Dearest congested_longest;
  // The latter alone, together for so long at most; and the longest of them.
  uint64_t held = 0, held_ns = 0;
  Spells held_when;
  Evidence held_longest;
  Evidence noisiest;  // the RPC during which the most was sent again or refused by a NAK; weight: how much
  uint64_t refused = 0, refused_ns = 0;  // RPCs that waited for packets that were refused (RNR NAK): how long
  // Calls that were first sent on an earlier connection: how many, on which, and that which was sent again
  // last; weight: so much later, ns.
  uint64_t taken_over = 0;
  track::ConnectionNumber taken_from;
  Evidence latest;
  uint64_t connections = 0;  // that it is of
};

class Loads {
 public:
  static constexpr size_t kMaxLoads = 16384;

  void note(const flow::Message& message);
  void note(const flow::Exchange& exchange);
  void note(const track::Connection& connection, const track::Congestion& congestion);
  void note(const track::Connection& connection, const timing::Transit& transit);
  void close(const track::Connection& connection);  // nothing more comes of it
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Loads& share, const Renumber& number);

  std::vector<const Load*> in_order() const;                                      // by number
  const Load* rest() const { return rest_.connections != 0 ? &rest_ : nullptr; }  // of all further ones

 private:
  // What has no place in the Connection itself.
  struct Open {
    std::array<uint64_t, 2> bytes{};  // by Side of the sender
    std::array<uint32_t, 2> requested{};
    std::array<Busy, 2> busy;  // by Requester
    std::array<history::GrantTrend, 2> grants;
    std::array<std::array<uint64_t, flow::kWaitedOns>, 2> spent_ns{};
    std::optional<Stamp> first_mark;
    Spells marked;
    uint64_t congested = 0;
    Dearest congested_longest;
    uint64_t held = 0, held_ns = 0;
    Spells held_when;
    Evidence held_longest;
    Evidence noisiest;
    uint64_t refused = 0, refused_ns = 0;
    std::array<base::Rare<Refusing>, 2> refusing;  // by Side of the receiver
    std::array<timing::Passage, 2> passages;
    std::array<timing::Acceptance::Outage, 2> outages;
    uint64_t taken_over = 0;
    track::ConnectionNumber taken_from;
    Evidence latest;
  };
  static void note_refused(Open& open, const flow::Exchange& exchange);
  static void note_slow(Open& open, const flow::Exchange& exchange);
  static void note_taken_over(Open& open, const flow::Exchange& exchange);
  void keep(const Load& load);
  void add_to_rest(const Load& load);

  absl::flat_hash_map<const track::Connection*, Open> open_;
  std::vector<Load> closed_;
  Load rest_;
};

}  // namespace steertag::stats
