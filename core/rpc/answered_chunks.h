// AnsweredChunks: where the latest answered Calls of a connection wanted their Replies, and where their
// Replies left results to be read (RFC 5666 §3.5). By it a Long Reply of version one that answers no open
// Call is known as a Reply: a Call names memory of its own sender. Lingering keeps it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/newest.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "memory/advertised.h"

namespace steertag::rpc {

class AnsweredChunks {
 public:
  static constexpr size_t kMaxKept = 256;  // the oldest gives way

  // The Exchange with its Reply, and the Read list of that.
  void note(const Exchange& answered);
  // The Reply chunk of a Call of `requester` ended with the segment.
  bool wanted(Side requester, const rpcrdma::Segment& named) const;
  // The Reply to its Call with that XID has left the segment to be read.
  bool left(Side requester, uint32_t xid, const rpcrdma::Segment& named) const;
  size_t bytes() const { return kept_.bytes(); }  // of the heap

 private:
  // The last segment: a Reply returns those of its Call in their order (RFC 8166 §4.3.3).
  struct Kept {
    Side requester = Side::a;
    bool left = false;
    uint32_t xid = 0, handle = 0;
    uint64_t offset = 0;
  };
  base::Newest<Kept, kMaxKept> kept_;
};

// An RDMA_NOMSG that answers no open Call is a Reply nevertheless: its chunks are memory that a Call of its
// receiver wanted results in, or what the Reply with its XID has left to be read before.
bool answers_otherwise(const Message& message, const AnsweredChunks& answered,
                       const memory::Advertised& advertised);

}  // namespace steertag::rpc
