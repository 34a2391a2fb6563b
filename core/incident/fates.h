// Fates: what became of each connection that carries RPC-over-RDMA, as far as RPCs suffer from it: how it
// ended, who ended it, what its receivers complained of, which Calls were left open, or were sent again on
// another connection. Bounded: once kMost connections are kept, further ones are not.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/address.h"
#include "flow/incident.h"
#include "flow/obstacle.h"
#include "frame.h"
#include "incident/back_channels.h"
#include "incident/lost_packets.h"
#include "rdma/op.h"
#include "stats/rpc.h"
#include "stats/spells.h"
#include "track/connection.h"
#include "track/connection_number.h"

namespace steertag::incident {

// Calls that waited, of one connection and direction.
struct Waited {
  uint64_t rpcs = 0;
  int64_t cost_ns = 0;                             // all of them together
  int64_t longest_ns = 0;                          // the longest of them ...
  Stamp call;                                      // ... its Call
  uint32_t xid = 0;                                // ... its XID
  std::string operation;                           // ... and what it asked for: "NFSv3 READ"
  bool accepted = false;                           // ... whether the Responder had acknowledged it ...
  flow::Obstacle obstacle = flow::Obstacle::none;  // ... and could not answer
  // How many of them may wait for a recall: they open, remove or rename a file.
  uint64_t for_files = 0;

  // `of`: the Call that waited, which may have been sent again.
  void note(const stats::Rpc& rpc, const Stamp& of, int64_t waited_ns);
};

// What the server says of a client's session, in its Replies on one connection.
struct SessionTrouble {
  uint32_t flags = 0;    // of nfs::kSessionTrouble: those of the latest Reply; 0: all is well
  uint64_t replies = 0;  // that have the flags, one after another, to the latest ...
  Stamp since;           // ... from this one on
};

struct Fate {
  track::ConnectionNumber number;
  base::Address client, server;
  Stamp first, last;                     // frames
  int64_t until_ns = 0;                  // track::Connection::until_ns()
  std::optional<rdma::EndReason> ended;  // unset: it was up when the capture ended
  std::optional<base::Address> ended_by;
  std::optional<base::Address> reset_by;  // iWARP: a RST, perhaps after a FIN of the other ...
  Stamp reset_at;                         // ... in this frame
  std::optional<uint16_t> rejected;       // by a REJ of the CM, with this reason
  int64_t server_has_ns = INT64_MIN;     // when the server had last acknowledged all that the client had sent
  std::optional<rdma::Fault> complaint;  // the latest that ends a connection: a Terminate, a NAK but for
                                         // sequence errors
  base::Address complains;               // who sent it
  // The packet that was never accepted, where its ICRC is wrong, and who sent it.
  std::optional<rdma::Fault::WrongCrc> damaged;
  base::Address damaged_of;
  track::IcmpErrors icmp;        // about its packets
  std::optional<int64_t> up_ns;  // when it was used for the first time, ns
  Waited open;                   // Calls of the client without a Reply
  Waited callbacks;              // of the server
  Waited moved;                  // Calls that were sent again on another connection, later ...
  std::optional<Stamp> left;     // ... and the first of these, or of those that were sent again there as well
  SessionTrouble trouble;
  std::optional<BackChannel> back_channel;  // what was agreed on here last
  stats::SpellsOf<LostPackets> lost;
  // How often what asks for the connection was sent again, and its first copy.
  uint64_t asked_again = 0;
  std::optional<Stamp> asked;
  // Of the client's RPCs the first that is no NULL, by its operation ("NFSv4 EXCHANGE_ID"), and when the last
  // began, ns.
  std::string first_operation;
  int64_t first_ns = INT64_MAX, latest_ns = INT64_MIN;
};

class Fates {
 public:
  static constexpr size_t kMost = 6144;

  void name(const track::Connection& connection);  // it carries RPC-over-RDMA
  void note(const flow::Incident& incident);
  void note(const track::Connection& connection, const flow::Loss& loss);
  void note(const stats::Rpc& rpc);
  void note(const flow::Exchange& exchange);        // what it says of the session
  void close(const track::Connection& connection);  // nothing more comes of it
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Fates& share, const Renumber& number);

  using ByNumber = absl::btree_map<track::ConnectionNumber, Fate>;
  const ByNumber& by_number() const { return fates_; }

 private:
  Fate* fate(track::ConnectionNumber number);

  ByNumber fates_;
  BackChannelReader reader_;
};

}  // namespace steertag::incident
