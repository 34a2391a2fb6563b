// AccessJudge: compares every RDMA Write and Read Request with the memory that
// its target has advertised, and remembers what was taken back lately, so that
// an operation that comes too late can be told from one that never was allowed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/access.h"
#include "flow/live_segments.h"

namespace steertag::flow {

class AccessJudge {
 public:
  // Segments taken back by one side that are remembered; the oldest gives way.
  static constexpr size_t kMaxRetired = 1024;

  // Finds the Exchange of a LiveSegments::Place.
  class Exchanges {
   public:
    virtual const Exchange& exchange(uint32_t number) const = 0;

   protected:
    ~Exchanges() = default;
  };

  // A message of `owner` offered more than is known, and perhaps for good.
  void note_cut(rdma::Side owner) { cut_[rdma::index(owner)] = true; }
  // Nobody can make out all that a Call of `owner` offers, until it is over.
  void begin_unreadable(rdma::Side owner) { ++unreadable_[rdma::index(owner)]; }
  void end_unreadable(rdma::Side owner) { --unreadable_[rdma::index(owner)]; }
  void retire(const Exchange& over, const SegmentFlow& segment);

  // The newest Send With Invalidate that took `handle` back, where it was not offered again and given back
  // otherwise since; among what is remembered.
  std::optional<Stamp> rescinded(rdma::Side owner, uint32_t handle) const;

  // What is to be told of this piece, null where nothing is: an operation that
  // goes on as it began is told once.
  const Access* judge(const rdma::RdmaOp& op, const LiveSegments& live, const Exchanges& exchanges);

 private:
  struct Current {  // the operation that one side has under way
    uint64_t id = 0;
    uint64_t begin = 0;  // its first byte
    bool astray = false;
    uint32_t exchange = UINT32_MAX;
  };

  void look(const LiveSegments& live, const Exchanges& exchanges, Current& current);
  void explain(const LiveSegments& live, const Exchanges& exchanges, const LiveSegments::Place* near);
  const Retired* find_retired(uint32_t handle, uint64_t offset) const;

  Access access_;
  std::array<Current, 2> current_;               // by sender
  std::array<std::vector<Retired>, 2> retired_;  // by owner; a ring once full
  std::array<size_t, 2> next_{};
  std::array<bool, 2> cut_{};  // by owner
  std::array<uint32_t, 2> unreadable_{};
};

}  // namespace steertag::flow
