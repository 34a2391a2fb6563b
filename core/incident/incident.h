// Incident: one thing that happened to the RPCs of a capture, told once, however many connections, findings
// and statistics show it: a server that restarts, a mount that does not come up, Calls that hang. What kind
// it is, when it was, who is to blame for it, what it cost, and which frames show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attempt/attempt.h"
#include "base/address.h"
#include "frame.h"
#include "incident/fates.h"
#include "incident/lost_packets.h"
#include "incident/recalls.h"
#include "incident/repeated.h"
#include "incident/violations.h"
#include "stats/judge.h"
#include "track/connection_number.h"

namespace steertag::incident {

enum class Kind : uint8_t {
  not_connected,       // no connection came up, or none for some time
  connection_lost,     // a connection ended that RPCs needed
  hang,                // Calls that are not answered while their connection is up
  loss,                // packets were lost, or overtaken
  congestion,          // the network marked packets, or paused links
  receiver_not_ready,  // RNR NAKs, closed TCP windows
  credits,             // the client had to wait for credits
  slow_server,
  slow_client,
  slow_network,     // the way is long, or moving the data takes most of the time
  transport_error,  // RDMA_ERROR
  session,          // NFSv4.1: the server cannot call back, or state was revoked
  nfs_error,        // operations that fail
  violation,        // of a document
};
// Where to look for the cause.
enum class Where : uint8_t { client, server, network };
// What the name of a kind says of it; unset: nothing. No incident is to say anything else.
constexpr std::optional<Where> where_by_name(Kind kind) {
  return kind == Kind::slow_server    ? std::optional(Where::server)
         : kind == Kind::slow_client  ? std::optional(Where::client)
         : kind == Kind::slow_network ? std::optional(Where::network)
                                      : std::nullopt;
}

// How grave it is: whether RPCs were lost or still wait, failed or waited, or took long.
enum class Weight : uint8_t { slow, disturbed, broken };

// Requests that a server refused again and again: to be asked later, of one client; else of whomever.
struct Refused {
  Repetition longest;                 // the one that took longest ...
  uint64_t requests = 0;              // ... of so many; grace, session: each is all of one client
  uint64_t clients = 0;               // of so many clients
  uint64_t answers = 0;               // that refused them
  int64_t first_ns = 0, last_ns = 0;  // when the first was sent, and the last refused ...
  std::optional<int64_t> until_ns;    // ... and when that was over; unset: it lasts when the capture ends
  std::vector<std::string> statuses;  // names, each once
  std::optional<WaitedFor> recall;    // later: that the longest may have waited for
};

// What a connection that was lost had: how it ended, and what became of its RPCs.
struct Lost {
  uint64_t connections = 0;                // how many
  uint64_t rpcs = 0;                       // Calls that waited for it
  int64_t latest_ns = 0;                   // when the last of them ended
  Waited longest;                          // the Call that waited longest
  std::vector<Fate> fates;                 // of the first of them, in order of their ends
  size_t told = 0;                         // of these, the one whose end is told
  std::vector<attempt::Attempt> attempts;  // that failed meanwhile
  std::optional<stats::Remark> outage;     // nothing got through before
  std::optional<Violation> cause;          // what one end found wrong
  uint64_t not_ready = 0;                  // RNR NAKs of this end, which the other gave up after
  base::Address not_ready_of;
  bool gave_up = false;  // the client did, since an accepted Call was not answered for long
  // No cause is known, but an ICMP error came about when it began, or later.
  std::optional<track::IcmpErrors> icmp;
  uint64_t gone = 0;             // clients for which no connection came up again
  track::ConnectionNumber next;  // of those that were back, the last one's connection; 0: none was ...
  int64_t up_ns = 0;             // ... and when
  uint64_t asked = 0;            // ... and how often its client had asked for it, since this frame
  base::Address asked_by;
  std::optional<Stamp> asked_since;
  // The server had restarted: so it did not know its clients, and was in its grace period.
  std::optional<Refused> unknown, grace;
};

// Connections that did not come up.
struct Unconnected {
  attempt::Attempt told;                 // the one that says most
  std::vector<attempt::Attempt> others;  // those that ended otherwise, where nothing ever came up
};

// Calls that wait until a callback is answered: the oldest, or the one that waited longest.
struct Behind {
  Waited waited;      // the oldest of them; its rpcs is 0: it was answered meanwhile
  uint64_t rpcs = 0;  // all of them
  base::Address client;
  track::ConnectionNumber connection;
  bool at_once = false;  // the callback was sent right after it
};

// Calls that wait on a connection that is up.
struct Hang {
  Fate fate;                              // of the connection with the oldest of them
  bool callback = false;                  // they are the server's
  std::vector<base::Address> requesters;  // whose they are, each once; at most kMostConnections
  uint64_t not_ready = 0;  // RNR NAKs that the Responder answered the Calls with, until the end
  const Waited& waited() const { return callback ? fate.callbacks : fate.open; }
};

// A session that is in trouble, by what its server says.
struct Session {
  Fate fate;  // of the connection on which it says so
  Waited
      callback;  // a callback without an answer, on that connection or one before; rpcs is 0: none is known
  std::optional<BackChannel> back_channel;  // that the server did not grant, though the client had asked
};

struct Incident {
  // The frames that show it, at most.
  static constexpr size_t kMostFrames = 16;
  static constexpr size_t kMostConnections = 16;

  Kind kind = Kind::violation;
  Weight weight = Weight::slow;
  int64_t begin_ns = 0;
  std::optional<int64_t> end_ns;                     // unset: it lasts when the capture ends
  std::vector<track::ConnectionNumber> connections;  // the first of them, ascending
  uint64_t rpcs = 0;                                 // that it hit
  int64_t cost_ns = 0;                               // of their time
  base::Address by;                                  // who is to blame; none where that is not known
  std::optional<Where> where;
  rules::Certainty certainty = rules::Certainty::definite;
  std::vector<Stamp> frames;            // the best to look at first
  std::vector<std::string_view> rules;  // whose findings are part of it: ids, each once
  LostPackets lost;                     // kind loss: on all connections of its server
  std::optional<Behind> behind;         // a callback is not answered, or late: what waits for it
  // What its sentence is made of.
  std::variant<Unconnected, Lost, Hang, Session, Refused, stats::Remark, Violation> what;
};

}  // namespace steertag::incident
