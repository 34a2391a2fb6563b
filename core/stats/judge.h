// What stands out in the statistics of a capture: who or what the time was lost to, and which RPC shows it.
// The thresholds are chosen so that healthy traffic draws no remark: what they compare is in the names.
// Pure functions of what was counted; report/text_remarks.cc puts the remarks into words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "stats/evidence.h"
#include "stats/load.h"
#include "stats/operation.h"
#include "stats/spells.h"
#include "stats/topics.h"
#include "stats/totals.h"

namespace steertag::stats {

// Of all the time of a capture's RPCs, what deserves a remark.
inline constexpr double kNotableShareOfAll = 0.05;
// Of the time of one operation of one server:
inline constexpr double kCreditShare = 0.1;   // waiting for credits, which is known for less than it is
inline constexpr double kLossShare = 0.05;    // waiting for what was lost
inline constexpr double kServerShare = 0.5;   // the server's own
inline constexpr double kClientShare = 0.25;  // waiting for the client
inline constexpr double kDataShare = 0.5;     // moving data
inline constexpr double kWayShare = 0.5;      // a round trip
// Less than that an RPC is nobody's fault ...
inline constexpr int64_t kSlowServerNs = Part::kSlowNs;
inline constexpr int64_t kSlowClientNs = 1'000'000;
inline constexpr int64_t kSlowDataNs = 20'000'000;
inline constexpr int64_t kLongWayNs = 1'000'000;
// ... nor is what so few take, as a session does that is set up ...
inline constexpr uint64_t kSlowLeast = 3;
// ... but once may be enough.
inline constexpr int64_t kSlowOnceNs = 500'000'000;
inline constexpr int64_t kLostOnceNs = 100'000'000;
inline constexpr int64_t kUnansweredNs = 1'000'000'000;
// Loss makes a percentile, where it is so many times what it would be without.
inline constexpr double kLossFactor = 2;
// A mean is made by few RPCs, where it is so many times what half of them take.
inline constexpr int64_t kMadeByFew = 2;
// An RPC is no example of the others where it took so many times what half of them take.
inline constexpr int64_t kOutlier = 10;
// With so many Calls at a time, each may wait for the others rather than for slow work.
inline constexpr uint32_t kManyCalls = 8;
// Of the time in which a client waited for Replies, at the limit of its credits; of the time of all RPCs,
// where the client asked for more.
inline constexpr double kLimitShare = 0.2;
inline constexpr double kLimitShareOfRpcs = 0.02;
// Of an operation's RPCs; and at least so many.
inline constexpr double kFailedShare = 0.05;
inline constexpr uint64_t kFailedLeast = 3;
// On one connection.
inline constexpr uint64_t kMarksLeast = 10;
inline constexpr uint64_t kReorderedLeast = 3;
// Of the RPCs that have Call and Reply, whose time is not known.
inline constexpr double kUntimedShare = 0.1;

enum class Standout : uint8_t {
  credits,   // the server grants fewer than the client could use
  loss,      // packets were lost and sent again
  server,    // the Responder takes its time: of callbacks, the client
  offset,    // it takes the same time for whatever it is asked
  outlier,   // the Responder took its time once, or the Reply was lost before the tap, as other packets were
  client,    // the Requester does: of callbacks, the server
  data,      // RDMA does
  distance,  // the round trip to the server does
  unanswered,  // Calls without a Reply
  retries,     // Calls that were sent again
  failures,    // operations that fail
  not_ready,   // receivers without a buffer: RNR NAKs
  congestion,  // marks of the network
  outage,      // nothing got through, however often it was sent
  reconnect,   // a client connected again, and sent again what it had waited for
  reordering,  // packets overtook others
  at_least,    // Calls may have been lost before the tap: times are at least what they seem
  untimed,     // RPCs of which too little was captured to know their time
};
inline constexpr std::array standout_names = std::to_array<std::string_view>(
    {"credits", "loss", "server", "offset", "outlier", "client", "data", "distance", "unanswered", "retries",
     "failures", "not_ready", "congestion", "outage", "reconnect", "reordering", "at_least", "untimed"});
static_assert(standout_names.size() == static_cast<size_t>(Standout::untimed) + 1);
// Empty for what is none of them.
constexpr std::string_view name(Standout kind) {
  const auto place = static_cast<size_t>(kind);
  return place < standout_names.size() ? standout_names[place] : std::string_view();
}

struct Remark {
  Standout kind = Standout::server;
  const Topic* topic = nullptr;  // what it is about, where it is about an operation
  // Further operations of that server, at_least: connections, of which the same is true.
  uint32_t alike = 0;
  const Load* load = nullptr;  // of the connection that it is about, or that the evidence is of
  // not_ready: whose doing it was, or more of it; of Load::both_not_ready() the one that it is about.
  const EndLoad* end = nullptr;
  double share = 0;           // of the operation's time; offset: 1 where the file system has no part in it
  uint64_t rpcs = 0, of = 0;  // that it is true of; among so many
  uint64_t time_ns = 0;       // that this cost in all; dearest first
  // loss: which percentile is as it is for it (1: the longest), and what it would be without. server: which
  // one is long, where few RPCs make it slow, and what half of them take at most. outlier: the same, in the
  // last. offset: what all take, in the last.
  std::optional<double> percentile;
  int64_t with_ns = 0, without_ns = 0;
  std::string failure;  // the most frequent
  Spells when;          // as far as that is known, of all operations that it is true of
  // It is about one of several times, long apart: no more than rpcs, time_ns and evidence, of that time.
  bool once = false;
  // retries: their Responder had acknowledged the Calls before, and ignored them.
  bool ignored = false;
  // Of all operations that it is true of together: the RPCs that took long. None: what is said above is all.
  Hit hit;
  Evidence evidence;
  // loss, congestion: the RPCs that it cost most, or that were under way and took longest; the dearest first.
  struct Dear {
    Evidence evidence;
    const Topic* topic = nullptr;  // what it is about; null: not known
  };
  std::vector<Dear> dearest;
};

struct Counted {
  const Topics& topics;
  const Loads& loads;
  const Totals& all;
};

// What is to be known of all the others; at most one of each kind, behind the dearest.
inline bool caveat(const Remark& remark) {
  return remark.kind == Standout::at_least || remark.kind == Standout::untimed;
}

std::vector<Remark> judge(const Counted& counted);

// Failures that are an answer like any other: NFS3ERR_NOENT, NLM4_DENIED.
bool ordinary_failure(const std::string& name);

}  // namespace steertag::stats
