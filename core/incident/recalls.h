// Recalls: callbacks by which servers ask for a delegation or a layout back. Those are kept that their client
// answers late or not at all, and those whose delegation comes back late or not at all. Meanwhile the server
// puts off other clients that want the file (Repetition), or keeps them waiting (HeldUp). Connections may
// differ. Bounded.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
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
  std::optional<Stamp> reply;     // unset: there is none
  bool answered_in_time = false;  // then it is the delegation that others waited for
  std::optional<Stamp> returned;  // ... and when it came back; unset: the capture does not show that it did
  int64_t until_ns = 0;           // until when it, or the delegation, is known to have kept others waiting
  uint64_t handle = 0;            // Target::handle of its file; 0: not known
};

// A recall that some requests may have waited for; whether it is known to be of the same file.
struct WaitedFor {
  Recall recall;
  bool same_file = false;
};

// A Call that names a file and was answered late. What it waited for is not known.
struct HeldUp {
  base::Address client, server;
  track::ConnectionNumber connection;
  stats::Operation operation;
  Stamp call;
  int64_t reply_ns = 0;
  int64_t took_ns() const { return reply_ns - call.time_ns; }
};

// Whether an operation names a file in a directory, so that its own handle says little of that file; it may
// have to wait for a delegation.
bool names_a_file(std::string_view operation);
// The callback was sent right after the Call.
bool at_once(const Stamp& callback, const Stamp& call);
// Whether a callback, "CB_RECALL" or "NFSv4 CB_RECALL", asks for a delegation or a layout.
bool asks_back(std::string_view operation);

class Recalls {
 public:
  static constexpr size_t kMost = 1024;  // that were late; further ones are not kept
  // Recalls that were answered in time: where there are more, it is not told who kept a delegation.
  static constexpr size_t kMostAnswered = 4096;
  static constexpr size_t kMostReturned = 16384;  // files whose delegation came back; likewise
  // Pairs of hosts from whose connections packets are missing; likewise.
  static constexpr size_t kMostPatchy = 4096;
  static constexpr size_t kMostHeldUp =
      1024;  // Calls that may have waited for one; further ones are not kept
  // So long a client takes at least that is late.
  static constexpr int64_t kLateNs = 1'000'000'000;

  void note(const flow::Exchange& exchange);
  // Where packets of it are missing, they may have returned a delegation: its client is not accused.
  void close(const track::Connection& connection);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Recalls& share, const Renumber& number);

  // By another client than the one whose requests `row` has, while they were put off. Where the file of one
  // is not known, those count whose operation names a file in a directory.
  std::optional<WaitedFor> behind(const Repetition& row) const;

  // The Calls for that operation that the server answered only once a recall was over, or once it went on
  // without, each with that recall. The server had sent it right after the Call, or after another that it
  // answered at the same time.
  using Pairs = std::vector<std::pair<const HeldUp*, const Recall*>>;
  Pairs held_up(const base::Address& server, const stats::Operation& operation) const;

 private:
  using Pair = std::pair<base::Address, base::Address>;                // client, server
  using FileKey = std::tuple<base::Address, base::Address, uint64_t>;  // of them, Target::handle

  void note_recall(const flow::Exchange& exchange);
  void note_return(const flow::Exchange& exchange);
  void note_held_up(const flow::Exchange& exchange);
  void hold(Recall&& recall);
  bool tells_of_delegations() const {
    return !unclear_ && answered_ <= kMostAnswered && returned_.size() <= kMostReturned &&
           patchy_.size() <= kMostPatchy;
  }
  bool kept_waiting(const Recall& recall, const Repetition& row) const;

  std::vector<Recall> all_;  // those that were late, or whose delegation was
  std::vector<HeldUp> held_up_;
  absl::flat_hash_map<FileKey, Recall> held_;       // answered in time; the delegation is not back
  uint64_t answered_ = 0;                           // in time
  absl::flat_hash_map<FileKey, int64_t> returned_;  // when, latest: a recall may have crossed it
  bool unclear_ = false;                            // something was returned whose file is not known
  absl::flat_hash_set<Pair> patchy_;
  TargetReader reader_;
};

}  // namespace steertag::incident
