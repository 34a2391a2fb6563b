// Retries: Calls that may be sent again, on the same connection or, after a reconnect, on another: all
// that were not seen answered for certain. A Call with the same XID between the same hosts, whose message is
// the same but for its chunks, is another attempt (RFC 8166 §3.3.3 leaves it to the Requester; servers
// recognise it by the XID).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "flow/message.h"
#include "flow/timing.h"

namespace steertag::flow {

class Retries {
 public:
  static constexpr size_t kMost = 8192;  // the oldest are forgotten

  struct Attempt {
    EarlierCall latest;
    int64_t first_ns = 0;   // the Call of the first attempt
    uint32_t attempts = 1;  // so far
  };

  // A Call is sent that `key` stands for. Returns what was known of the attempts before; unset where it is
  // the first.
  std::optional<Attempt> note(uint64_t key, const EarlierCall& call);
  // Its connection has a number now.
  void name(uint64_t key, const EarlierCall& call);
  // It was answered, and the answer arrived: what has its key from now on is another RPC.
  void forget(uint64_t key, const Stamp& call);

 private:
  bool known(uint64_t key, const Stamp& call) const;

  absl::flat_hash_map<uint64_t, Attempt> attempts_;
  struct Noted {
    uint64_t key = 0;
    Stamp call;
  };
  base::Newest<Noted, kMost> order_;  // of the keys, by age; those forgotten may be among them
};

// The Call of `exchange` was sent: ties it to the attempts before, if there were any.
void tie_attempts(Exchange& exchange, const Message& call, Retries& retries);
// What became of it is known. Says in its Timing how long all attempts took together.
void conclude_attempts(Exchange& exchange, Retries& retries);

}  // namespace steertag::flow
