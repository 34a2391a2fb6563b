// Unacknowledged: the Exchanges of one connection whose Call, or Reply, its receiver has not acknowledged
// yet. One that was reported stays here until the Requester has acknowledged the Reply; then its Timing is
// complete, and it is reported as timed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rpc/connection_state.h"
#include "timing/retries.h"
#include "timing/subject_reader.h"
#include "timing/transit.h"

namespace steertag::timing {

// What those of all connections of one Analyzer share: the Calls that may be sent again, and who says what an
// RPC was about.
struct Shared {
  explicit Shared(SubjectReader::Files files) : subjects(files) {}

  Retries retries;
  SubjectReader subjects;
};

class Unacknowledged {
 public:
  // Exchanges of one Requester whose Reply was not acknowledged; beyond that the oldest has no times.
  static constexpr size_t kMaxKept = 1024;

  // All must outlive it.
  Unacknowledged(rpc::ConnectionState& state, Shared& shared, Transit& transit)
      : state_(state), shared_(shared), transit_(transit) {}
  Unacknowledged(const Unacknowledged&) = delete;
  Unacknowledged& operator=(const Unacknowledged&) = delete;

  void await(rpc::Slot& slot, rpc::Slot::Awaits what);
  void leave(rpc::Slot& slot);  // does nothing where it is not here
  // `by` has acknowledged all that its peer sent before `position`.
  void on_accepted(Side by, uint64_t position, const Stamp& at);

  // The Exchange was reported, if the connection is known to carry RPC-over-RDMA. Whether it stays; else it
  // is reported as timed.
  bool keep(rpc::Slot& slot);
  bool keeps_any() const { return !replies_[0].empty() || !replies_[1].empty(); }
  void let_go(rpc::ExchangeListener::Fate fate);

 private:
  using Awaited = rpc::LinkedSlots<&rpc::Slot::awaiting>;

  void report(rpc::Slot& slot);

  rpc::ConnectionState& state_;
  Shared& shared_;
  Transit& transit_;
  std::array<Awaited, 2> calls_, replies_;  // by Requester
};

}  // namespace steertag::timing
