// Reading: the two messages of one RPC, as audit reads them, each made into a Disguise. A Reply does not say
// what it answers, so the Call comes first.
//
// Where audit has two readings of a malformed Call, what is structure in either one stays.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flow/exchange.h"
#include "flow/layout.h"
#include "flow/message.h"
#include "nfs/call.h"
#include "nfs/reply.h"
#include "rpcrdma/v1.h"
#include "sanitize/disguise.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

// What the transport header of a message says of what is behind it.
struct Front {
  uint32_t header_length = 0;
  bool hidden = false;  // it has a fault: its chunks may be read wrong, and count as unknown
  std::optional<rpcrdma::v1::Padding> padding;
  std::vector<uint64_t> returned;  // bytes of each Write chunk
};

// How NFS itself answered, where that is the first word behind an RPC header (nfs/status.h): its bytes;
// whether this RPC has one; whether what this Reply has there counts as one, for an open Call of its XID,
// also where it turns out to answer another one, which was not captured.
constexpr uint32_t kStatus = 4;
bool begins_with_status(const flow::Exchange& exchange);
bool shows_status(const flow::Message& message);

class Reading {
 public:
  explicit Reading(const Key& key) : key_(key) {}

  // Another RPC.
  void clear();
  // Of its Call, then of its Reply; unset where there are no bytes of it, or the Reply's are in no order.
  std::optional<Disguise> call(const flow::Exchange& exchange, const Front& front);
  std::optional<Disguise> reply(const flow::Exchange& exchange, const Front& front);
  bool call_known() const { return call_.header_known; }
  // Whether the program of the Call is one of the range of callbacks, and what follows says that it is
  // another.
  bool other_program() const { return other_program_; }

  // The parts of the message that was read last, and which segment of the Exchange carried one of them.
  std::span<const base::Stretch> stretches() const { return layout_.stretches(); }
  std::optional<size_t> carrier(const base::Stretch& stretch) const;

 private:
  void leave_other_program(Disguise& disguise, uint64_t begin);
  Disguise disguise_of(const flow::Exchange& exchange);
  nfs::Stream begin_walk(uint32_t xid, Disguise& disguise) const;
  // Whether behind the count at this place of a message is the sequence number of the Call's credential, as
  // RFC 2203 §5.3.2.2 wants it under integrity. Another one may be data.
  bool numbered(const nfs::Stream& stream, uint64_t count) const;
  void read_wrapped_call(Disguise& disguise, const nfs::Stream& stream);
  void read_wrapped_reply(const flow::Exchange& exchange, const Front& front, Disguise& disguise,
                          const nfs::Stream& stream);
  void read_reduced_call(const flow::Exchange& exchange, Disguise& disguise);
  void keep_status(const flow::Exchange& exchange, Disguise& disguise, const nfs::Stream& stream);

  const Key& key_;
  flow::Layout layout_;
  absl::flat_hash_map<const uint8_t*, size_t> carriers_;  // segments, by where their bytes begin
  nfs::CallWalk call_, reduced_;                          // the latter of its inline bytes alone
  nfs::ReplyWalk reply_;
  bool wrapped_ = false;  // arguments and results are under integrity or privacy
  bool other_program_ = false;
  std::optional<uint32_t> integrity_;  // the Call's sequence number, where that is integrity
  rpcrdma::RpcHeader header_;          // of what is walked under integrity
};

}  // namespace steertag::sanitize
