// Repeated: requests that a server refused for now, again and again, so that whoever asked had to ask again:
// to come later (NFS4ERR_DELAY, NFS3ERR_JUKEBOX), to wait for the end of its grace period, or to begin
// anew, since it knows no such client or session. And when it took them after all. A request that is asked
// again is known by its operation and what it is about, between the same hosts. Bounded.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/address.h"
#include "flow/exchange.h"
#include "frame.h"
#include "incident/target.h"
#include "stats/operation.h"
#include "track/connection_number.h"

namespace steertag::incident {

enum class Refusal : uint8_t {
  later,    // RFC 8881 §15.1.1.3, RFC 1813 §2.6: of one request
  grace,    // RFC 8881 §15.1.9.2: of a client, whatever it asked for
  session,  // RFC 8881 §15.1.11.1 and others: the server does not know, or know any more, client or session
};

// What a status of that program says; unset: something else.
std::optional<Refusal> refusal_of(uint32_t program, uint32_t version, uint32_t status);

// Answers in a row that refuse.
struct Repetition {
  Refusal why{};
  base::Address client, server;
  stats::Operation operation;         // later: that of all; else of the latest
  Target target;                      // the same
  std::vector<std::string> statuses;  // names, each once; the first is that of the first answer
  uint64_t answers = 0;
  Stamp call;                          // of the first
  Stamp first, last;                   // Replies
  track::ConnectionNumber connection;  // of the first

  // The first Reply behind them that does not refuse: later, grace: of the same request; session: to one
  // that begins a session anew or needs one, though it be put off.
  struct Then {
    Stamp at;
    std::string failure;  // name of its status; empty: it succeeded
  };
  std::optional<Then> then;

  // For so long it was asked and refused, ns.
  int64_t span_ns() const;
};

class Repeated {
 public:
  static constexpr size_t kMostOpen = 4096;  // further requests are not followed
  static constexpr size_t kMost = 4096;      // of rows that are over; further ones are not kept
  // Refusals further apart are not in a row. Clients wait 15 s at most before they ask again.
  static constexpr int64_t kApartNs = 60'000'000'000;
  // Of one request, so many, for so long, are worth a word.
  static constexpr uint64_t kLeast = 3;
  static constexpr int64_t kLeastNs = 1'000'000'000;

  void note(const flow::Exchange& exchange);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  // The share has all RPCs between its pairs of hosts.
  void take_over(const Repeated& share, const Renumber& number);

  // In order of their first Replies; of `later` those that are worth a word.
  std::vector<Repetition> all() const;

 private:
  struct Place {
    base::Address client, server;
    Refusal why{};
    stats::Operation operation;  // later
    uint64_t request = 0;        // later; 0: not known

    friend auto operator<=>(const Place&, const Place&) = default;
    friend bool operator==(const Place&, const Place&) = default;
  };
  using Rows = absl::btree_map<Place, Repetition>;

  void refused(const flow::Exchange& exchange, Place&& place);
  void answered(const flow::Exchange& exchange, const Place& place, std::optional<Refusal> why);
  bool takes(const flow::Exchange& exchange, const stats::Operation& operation, const Repetition& row,
             std::optional<Refusal> why);
  const Target& target(const flow::Exchange& exchange);
  void keep(Repetition&& row);
  bool make_room(int64_t now_ns);

  Rows open_;
  std::vector<Repetition> over_;
  int64_t swept_ns_ = INT64_MIN;
  TargetReader reader_;
  std::optional<Target> target_;  // of the Exchange at hand, once it was asked for
};

}  // namespace steertag::incident
