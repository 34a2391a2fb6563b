// Target: what a request was about, as far as its Call shows it, so that one that a client repeats is known
// again: the file handles and names in it. A TargetReader reads it of one Exchange, and keeps nothing but its
// memory. Digests, to be compared within one process.
#pragma once

#include <cstdint>
#include <string>

#include "files/notes.h"
#include "flow/exchange.h"
#include "flow/layout.h"
#include "nfs/call.h"

namespace steertag::incident {

struct Target {
  uint64_t request = 0;  // all handles and names; 0: not known, or there are none
  uint64_t handle = 0;   // the last handle; 0: not known, or there is none
};

class TargetReader {
 public:
  // Precondition: what Settings::for_reports keeps of an Exchange is there. Of what RPCSEC_GSS hides, of an
  // RDMA_MSGP, and of a Call that was not captured whole, nothing is known.
  Target read(const flow::Exchange& exchange);

 private:
  flow::Layout layout_;
  nfs::CallWalk call_;
  files::Notes notes_;
  std::string text_;
};

}  // namespace steertag::incident
