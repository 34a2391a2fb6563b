// Docket: what becomes of findings once they are weighed. Of those about one fact,
// what another explains is dropped; what a missing packet could explain is held
// back; a habit is counted until its connection is over; the rest is reported at
// once. It remembers what it has, for rules that refer to it.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "rules/finding.h"
#include "rules/held_back.h"
#include "rules/rule.h"

namespace steertag::rules {

class Listener {
 public:
  virtual void on_finding(const Finding& finding) = 0;
  // All that is found on this connection has been reported.
  virtual void on_judged(const track::Connection& /*connection*/) {}

 protected:
  ~Listener() = default;
};

class Docket {
 public:
  // Findings of one connection that others may refer to: of those reported, of those held back.
  static constexpr size_t kMaxRecent = 8, kMaxRecalled = 256;

  // `wants`: which rules are reported; empty: all.
  Docket(Listener& listener, std::function<bool(const Rule&)> wants)
      : listener_(listener), wants_(std::move(wants)) {}

  // A finding about the fact at hand; those of one rule come one after the other. `hold`: until it is proven
  // that nothing is missing.
  void add(Finding&& finding, bool hold);
  // The fact at hand has been judged by all rules.
  void settle() {
    if (!batch_.empty()) {
      settle_batch();
    }
  }

  void on_heard(const track::Connection& connection, rdma::Side from);  // a message
  // The connection is over: what waits is released; its habits are yet to be reported.
  void on_end(const track::Connection& connection);
  void close(const track::Connection& connection);  // habits are reported, and all of it is forgotten
  void finish();                                    // the capture is over

  // Whether all that becomes of such a finding is that a habit is counted once more.
  bool counts(const Finding& finding) const;
  bool wanted(const Rule& rule) const { return !wants_ || wants_(rule); }

  // The newest finding of the connection which `fits`: what was reported, or is held back; no notes, which
  // explain nothing. Null where there is none.
  template <typename Fits>
  const Finding* newest(const track::Connection& connection, const Fits& fits) const;

 private:
  struct Weighed {
    Finding finding;
    bool hold = false;
  };
  struct Broken {
    const Rule* rule = nullptr;
    size_t findings = 0;  // of the batch
  };
  struct Past {                   // of one connection
    std::vector<Finding> recent;  // the oldest first
    std::vector<Finding> habits;  // at most one for each rule about a habit, end, severity and certainty
  };

  auto releaser() {
    return [this](Finding& finding) { release(finding); };
  }
  void settle_batch();
  bool explained(const Rule& rule) const;  // by a finding about the fact at hand
  void pass_on(Weighed& one);
  void release(Finding& finding);
  void report(Finding& finding);
  template <typename Habits>
  static auto* find(Habits& habits, const Finding& finding);
  void count_habit(const Finding& finding);
  void report_habits(const track::Connection& connection);
  Past& past(const track::Connection& connection) { return pasts_[&connection]; }

  Listener& listener_;
  std::function<bool(const Rule&)> wants_;
  std::vector<Weighed> batch_;  // about the fact at hand
  std::vector<Broken> broken_;  // by the batch, in its order
  HeldBack held_;
  absl::flat_hash_map<const track::Connection*, Past> pasts_;
};

template <typename Fits>
const Finding* Docket::newest(const track::Connection& connection, const Fits& fits) const {
  const Finding* held = held_.newest(connection, kMaxRecalled, [&](const Finding& finding) {
    return finding.severity != Severity::note && fits(finding);
  });
  const auto past = held == nullptr ? pasts_.find(&connection) : pasts_.end();
  if (past == pasts_.end()) {
    return held;
  }
  const std::vector<Finding>& recent = past->second.recent;
  const auto found = std::find_if(recent.rbegin(), recent.rend(), fits);
  return found != recent.rend() ? &*found : nullptr;
}

}  // namespace steertag::rules
