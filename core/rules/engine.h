// Engine: holds what an Analyzer tells against the rules, and says what it
// found. It is the one place that knows what a capture may hide: a rule says
// what it needs to have been captured, the Engine sees whether it was, and a
// violation that a missing packet could explain is held back, or told as no
// more than possible.
//
// It hears the events of an Analyzer with Options::for_rules; Audit wires the two.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "event.h"
#include "rules/ending.h"
#include "rules/finding.h"
#include "rules/held_back.h"
#include "rules/report.h"
#include "rules/rule.h"
#include "rules/tally.h"

namespace steertag::rules {

struct Settings {
  Profile profile = Profile::deployed;
  // Which rules are told of; empty: all. The others are asked, too: their findings explain those of these.
  std::function<bool(const Rule&)> wants;
  // Several clocks, so that what comes first across directions is not certain. Unset: on the connections that
  // more than one tap saw.
  std::optional<bool> skewed;
};

class Listener {
 public:
  virtual void on_finding(const Finding& finding) = 0;
  // All that is found on this connection has been told.
  virtual void on_judged(const track::Connection& /*connection*/) {}

 protected:
  ~Listener() = default;
};

class Engine {
 public:
  static constexpr size_t kMaxRecent = 8;  // findings of one connection that others may refer to

  // `settle_ns`: Options::settle_ns, after which what is hidden has had its time.
  Engine(Listener& listener, Settings settings, int64_t settle_ns);

  void on(const Event& event);
  void finish();  // the capture has ended; after the last event

  // By rule, in the order of the catalog.
  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  template <typename Check>
  struct Entry {
    Check check;
    const Rule* rule;
    uint32_t place;  // in the catalog
    uint8_t needs;   // the rule's, at hand
  };
  // How much of a connection's past is known.
  enum class Knowledge : uint8_t { partial, settled, whole };
  struct Weighed {
    Finding finding;
    bool hold = false;  // until it is proven that nothing is missing
  };
  struct Past {  // of one connection
    std::deque<Finding> recent;
    std::vector<Finding> habits;  // at most one for each rule about a habit, end, severity and certainty
    Ending ending;
  };

  void judge(const flow::Message& message);
  void judge(const flow::Exchange& exchange);
  void judge(const flow::Access& access);
  void judge(const flow::Incident& incident);
  void judge(const ConnectionClosed& closed);

  template <typename Check, typename Fact>
  void run(const std::vector<Entry<Check>>& entries, const Fact& fact, unsigned unmet);
  template <typename Fact>
  void weigh(const Fact& fact, uint8_t needs);
  void begin(const track::Connection& connection, const Stamp& at);
  void recall(const track::Connection& connection);
  void settle();
  bool wanted(const Rule& rule) const { return !settings_.wants || settings_.wants(rule); }
  void release(Finding& finding);
  void count_habit(const Finding& finding);
  void tell_habits(const track::Connection& connection);
  auto releaser() {
    return [this](Finding& finding) { release(finding); };
  }
  Knowledge knowledge(const track::Connection& connection, int64_t now_ns) const;
  Past& past(const track::Connection& connection) { return pasts_[&connection]; }

  Listener& listener_;
  Settings settings_;
  int64_t settle_ns_;
  std::array<std::vector<Entry<CheckMessage>>, kKindCount> on_message_;
  std::vector<Entry<CheckExchange>> on_exchange_;
  std::vector<Entry<CheckAccess>> on_access_;
  std::vector<Entry<CheckIncident>> on_incident_;
  std::vector<Entry<CheckEnding>> on_ending_;
  std::vector<Tally> tallies_;

  Report report_;
  std::vector<Weighed> batch_;  // of the fact at hand
  HeldBack held_;
  absl::flat_hash_map<const track::Connection*, Past> pasts_;
};

}  // namespace steertag::rules
