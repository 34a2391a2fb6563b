// EarlyEffects: Replies and RDMA operations that were captured before the Call, or the Reply with
// a Read list, that they depend on. If that follows within kMostSkewNs, neither end is at fault:
// each direction has a tap of its own, their clocks differ, and no acknowledgment in between set
// the order right. Unlike rdma::roce::Early it delays nothing; it only remembers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/newest.h"
#include "flow/message.h"

namespace steertag::memory {

class EarlyEffects {
 public:
  static constexpr size_t kMaxKept = 32;             // the pieces of an RDMA operation are one
  static constexpr int64_t kMostSkewNs = 2'000'000;  // as much as acknowledgements are waited for

  void note_reply(Side requester, uint32_t xid, int64_t time_ns) {
    add({requester, Kind::reply, xid, time_ns});
  }
  void note_access(Side owner, uint32_t handle, int64_t time_ns) {
    add({owner, Kind::access, handle, time_ns});
  }

  // Whether an effect of this Call was captured shortly before it, or may have been: more effects than are
  // kept were.
  bool of(const Message& call) const {
    if (newest_ns_ < call.at.time_ns - kMostSkewNs) [[likely]] {
      return false;
    }
    const rpcrdma::ChunkLists& chunks = call.header->chunks;
    bool found = forgotten_ns_ >= call.at.time_ns - kMostSkewNs || has(call, Kind::reply, call.header->xid);
    for (const rpcrdma::ReadSegment& read : chunks.reads) {
      found = found || has(call, Kind::access, read.target.handle);
    }
    for (const auto* list : {&chunks.writes, &chunks.reply}) {
      for (const rpcrdma::WriteChunk& chunk : *list) {
        for (const rpcrdma::Segment& target : chunk.target) {
          found = found || has(call, Kind::access, target.handle);
        }
      }
    }
    return found;
  }

 private:
  enum class Kind : uint8_t { reply, access };
  struct Effect {
    Side requester = Side::a;
    Kind kind = Kind::reply;  // `name` is an XID; otherwise a handle
    uint32_t name = 0;
    int64_t time_ns = 0;
  };

  void add(const Effect& effect) {
    newest_ns_ = effect.time_ns;
    Effect* const latest = effects_.find([](const Effect&) { return true; });
    if (latest != nullptr && latest->requester == effect.requester && latest->kind == effect.kind &&
        latest->name == effect.name) {
      latest->time_ns = effect.time_ns;
      return;
    }
    if (effects_.size() == kMaxKept) {
      forgotten_ns_ = std::max(forgotten_ns_, effects_[0].time_ns);
    }
    effects_.add(effect, [&](const Effect& old) { return old.time_ns < effect.time_ns - kMostSkewNs; });
  }
  bool has(const Message& call, Kind kind, uint32_t name) const {
    return effects_.find([&](const Effect& effect) {
      return effect.requester == call.from && effect.kind == kind && effect.name == name &&
             effect.time_ns >= call.at.time_ns - kMostSkewNs;
    }) != nullptr;
  }

  base::Newest<Effect, kMaxKept> effects_;
  int64_t newest_ns_ = INT64_MIN / 2;
  int64_t forgotten_ns_ = INT64_MIN / 2;  // the newest that gave way
};

}  // namespace steertag::memory
