// Completions: how the latest Calls of one Requester were answered, so that what answers
// nothing that is open can be distinguished from an answer that came twice; and which of the
// Replies, those with a Read list, it has to confirm by RDMA_DONE (RFC 5666 §3.8).
#pragma once

#include <cstdint>
#include <vector>

#include "base/newest.h"
#include "flow/standing.h"
#include "frame.h"

namespace steertag::flow {

class Completions {
 public:
  static constexpr size_t kMaxKept = 256;  // the oldest gives way
  static constexpr size_t kMaxOwedDones = 256;
  static constexpr size_t kMaxStrayDones = 64;

  struct Answered {
    uint32_t xid = 0;
    Completion completion;
    bool by_xid = false;     // nothing but its XID made it the Reply
    uint32_t owed = 0;       // Replies that are still due, since the Call was sent more than once
    bool forgotten = false;  // what was noted was no answer: see forget()
  };
  // A Reply with a Read list, for which there was no RDMA_DONE.
  struct OwedDone {
    uint32_t xid = 0;
    Stamp reply;
  };
  // An RDMA_DONE for which no Reply is known; the first ones.
  struct StrayDone {
    uint32_t xid = 0;
    Stamp at;
  };

  // The newest with that XID; null where none is remembered.
  const Answered* find(uint32_t xid) const;
  // It was answered by its XID alone, as far as was known then, and no RDMA_DONE has confirmed that.
  bool answered_by_xid(uint32_t xid) const;
  const std::vector<OwedDone>& owed_dones() const { return owed_dones_; }
  const std::vector<StrayDone>& stray_dones() const { return stray_dones_; }

  void note(const Answered& answered);
  void note_further(uint32_t xid);  // an answer to no open Call: it may be to another copy of one
  // The newest with that XID was no answer after all: it is found no more.
  void forget(uint32_t xid);
  void note_reads(uint32_t xid, const Stamp& reply);
  void note_done(uint32_t xid, const Stamp& at);
  // Something that the Requester sent is missing: it may have been any RDMA_DONE.
  void forget_owed_dones() { owed_dones_.clear(); }

  size_t bytes() const {  // of the heap
    return answered_.bytes() + owed_dones_.capacity() * sizeof(OwedDone) +
           stray_dones_.capacity() * sizeof(StrayDone);
  }

 private:
  Answered* newest(uint32_t xid);

  base::Newest<Answered, kMaxKept> answered_;
  std::vector<OwedDone> owed_dones_;
  std::vector<StrayDone> stray_dones_;
};

}  // namespace steertag::flow
