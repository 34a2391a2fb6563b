// AccessJudge: what rules ask of the memory of one connection, beside what is advertised now: which
// segments were withdrawn lately (RetiredSegments), and which handles are advertised on another connection
// between its hosts (HandleDirectory). By that it explains an RDMA Write or Read Request that leaves the
// advertised memory. Where no rule asks there is no judge.
#pragma once

#include <array>

#include "flow/access.h"
#include "memory/handle_directory.h"
#include "memory/retired.h"

namespace steertag::memory {

class Advertised;

class AccessJudge {
 public:
  // Both must outlive it.
  AccessJudge(const track::Connection& connection, HandleDirectory& directory)
      : connection_(connection), directory_(directory) {}

  // The connection carries RPC-over-RDMA: other connections between its hosts can find its handles from now
  // on.
  void enlist(const Advertised& advertised);
  // The first segment under a handle is advertised, the last is withdrawn.
  void on_first(Side owner, uint32_t handle);
  void on_last(Side owner, uint32_t handle);
  void on_withdrawn(const Exchange& over);

  // Explains the byte (Access::astray) at which `access` left the memory that is advertised for it: fills in
  // the verdict, the nearest segment and its Exchange, and the segment that it comes too late for. `chosen`:
  // the Call that it was for; null: none.
  void explain(Access& access, const Advertised& advertised, const Advertisement* chosen);

  RetiredSegments& retired(Side owner) { return retired_[rdma::index(owner)]; }
  size_t bytes() const { return retired_[0].bytes() + retired_[1].bytes(); }  // of the heap

 private:
  const track::Connection& connection_;
  HandleDirectory& directory_;
  std::array<RetiredSegments, 2> retired_;  // by owner of the memory
  bool enlisted_ = false;
};

}  // namespace steertag::memory
