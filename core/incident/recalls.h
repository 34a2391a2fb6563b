// Recalls: callbacks by which servers ask for a delegation or a layout back, and which their client answers
// late or not at all. Meanwhile the server puts off whoever else wants the file: a Repetition, whose cause
// such a callback may be, across connections and clients. Bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/address.h"
#include "flow/exchange.h"
#include "frame.h"
#include "incident/repeated.h"
#include "incident/target.h"
#include "stats/operation.h"
#include "track/connection_number.h"

namespace steertag::incident {

struct Recall {
  base::Address client, server;  // it is the client that is asked
  track::ConnectionNumber connection;
  stats::Operation operation;
  Stamp call;
  std::optional<Stamp> reply;  // unset: there is none
  int64_t until_ns = 0;        // until when it is known to have waited
  uint64_t handle = 0;         // Target::handle of its file; 0: not known
};

// A recall that some requests may have waited for; whether it is known to be of the same file.
struct WaitedFor {
  Recall recall;
  bool same_file = false;
};

class Recalls {
 public:
  static constexpr size_t kMost = 1024;  // further ones are not kept
  // So long a client takes at least that is late.
  static constexpr int64_t kLateNs = 1'000'000'000;

  void note(const flow::Exchange& exchange);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Recalls& share, const Renumber& number);

  // By another client than the one whose requests `row` has, while they were put off. Where the file of one
  // is not known, those count whose operation names a file in a directory.
  std::optional<WaitedFor> behind(const Repetition& row) const;

 private:
  std::vector<Recall> all_;
  TargetReader reader_;
};

}  // namespace steertag::incident
