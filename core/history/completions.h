// Completions: the most recently answered Calls of one Requester. With them a Reply that matches
// no open Call can be recognised as a duplicate, rather than an answer to nothing. Also tracks
// the Replies with a Read list that the Requester has yet to confirm by RDMA_DONE (RFC 5666
// §3.8), and the RDMA_DONEs that confirm no known Reply.
#pragma once

#include <cstdint>
#include <vector>

#include "base/newest.h"
#include "flow/standing.h"
#include "frame.h"

namespace steertag::history {

class Completions {
 public:
  static constexpr size_t kMaxKept = 256;  // the oldest gives way
  static constexpr size_t kMaxOwedDones = 256;
  static constexpr size_t kMaxStrayDones = 64;

  struct Answered {
    uint32_t xid = 0;
    Completion completion;
    bool by_xid = false;     // nothing but its XID made it the Reply
    uint32_t owed = 0;       // further Replies to expect, since the Call was sent more than once
    bool forgotten = false;  // it was not answered after all: see forget()
  };
  // A Reply with a Read list whose RDMA_DONE has not come.
  struct OwedDone {
    uint32_t xid = 0;
    Stamp reply;
  };
  // An RDMA_DONE for which no Reply is known. The first kMaxStrayDones are kept.
  struct StrayDone {
    uint32_t xid = 0;
    Stamp at;
  };

  // The newest with that XID; null where none is remembered.
  const Answered* find(uint32_t xid) const;
  // Nothing but the XID showed that it was answered, and no RDMA_DONE has confirmed that since.
  bool answered_by_xid(uint32_t xid) const;
  const std::vector<OwedDone>& owed_dones() const { return owed_dones_; }
  const std::vector<StrayDone>& stray_dones() const { return stray_dones_; }

  void note(const Answered& answered);
  // A Reply to no open Call: it may answer another copy of the same Call. True: none is known, and the Call
  // was answered before; then no RDMA_DONE is due to this one, nor out of place.
  bool note_further(uint32_t xid);
  // The newest with that XID was not answered after all: find() passes it over.
  void forget(uint32_t xid);
  void note_reads(uint32_t xid, const Stamp& reply);
  void note_done(uint32_t xid, const Stamp& at);
  // Something that the Requester sent is missing: it may have been any of the RDMA_DONEs.
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

}  // namespace steertag::history
