// Retries: Calls that may be sent again, on the same connection or, after a reconnect, on another: all
// that were not seen answered for certain. A Call with the same XID between the same hosts, whose message is
// the same but for its chunks, is another attempt (RFC 8166 §4.5.5: RPC recovers from the loss of a
// connection by sending again).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "flow/message.h"
#include "flow/timing.h"
#include "track/connection.h"

namespace steertag::timing {

class Retries {
 public:
  static constexpr size_t kMost = 8192;  // Calls that may be sent again; the oldest are forgotten
  // Connections that have sent such a Call before they were claimed; the oldest are forgotten.
  static constexpr size_t kMostUnclaimed = 8192;

  struct Attempt {
    EarlierCall latest;       // its connection is 0 where that was not claimed yet
    uint64_t connection = 0;  // the same one by track::Connection::order
    int64_t first_ns = 0;     // the Call of the first attempt
    uint32_t attempts = 1;    // so far
    bool moved = false;       // from one connection to another
  };

  // A Call is sent that `key` stands for. Returns what was known of the attempts before; unset where it is
  // the first.
  std::optional<Attempt> note(uint64_t key, const track::Connection& connection, const Stamp& call);
  // That connection is known to carry RPC-over-RDMA, and has its number.
  void claim(const track::Connection& connection);
  // The number of a connection that was not claimed when it sent a Call, by its order; 0: it still is not.
  track::ConnectionNumber number(uint64_t connection) const;
  // It was answered, and the answer arrived: what has its key from now on is another RPC.
  void forget(uint64_t key, const Stamp& call);

 private:
  struct Noted {
    uint64_t key = 0;
    Stamp call;
  };
  Attempt* find(uint64_t key, const Stamp& call);  // null where that Call is not its latest
  void note_unclaimed(const track::Connection& connection);
  void shorten();

  absl::flat_hash_map<uint64_t, Attempt> attempts_;
  // The keys, by age. Those forgotten may be among them: no more than there are others, and some.
  std::vector<Noted> order_;
  size_t oldest_ = 0;  // those before it are forgotten

  // By Connection::order; the same ones by age.
  absl::flat_hash_map<uint64_t, track::ConnectionNumber> unclaimed_;
  std::deque<uint64_t> unclaimed_order_;
};

// The Call of `exchange` was sent: ties it to the attempts before, if there were any.
void tie_attempts(Exchange& exchange, const Message& call, Retries& retries);
// Where its answer has arrived, what has its XID from now on is another RPC.
void answered_for_certain(Exchange& exchange, Retries& retries);
// What became of it is known. Says in its Timing how long all attempts took together.
void conclude_attempts(Exchange& exchange, Retries& retries);

}  // namespace steertag::timing
