// Engine: asks the rules about what an Analyzer reports, and weighs what they
// find. It is the one place that knows what a capture may hide: a rule says what
// it needs to have been captured, the Engine sees whether it was (weighing.h), and
// a violation that a missing packet could explain is held back, or reported as no
// more than possible (docket.h).
//
// It receives the events of an Analyzer with Options::for_rules; Audit wires the two.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "event.h"
#include "flow/access.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "rules/docket.h"
#include "rules/ending.h"
#include "rules/finding.h"
#include "rules/report.h"
#include "rules/rule.h"
#include "rules/shortlists.h"
#include "rules/tally.h"
#include "rules/weighing.h"
#include "timing/subject_reader.h"

namespace steertag::rules {

// Puts into words what a finding is about, while that can still be seen.
class Describer {
 public:
  virtual Excerpt describe(const Finding& finding, const flow::Message& message) = 0;
  virtual Excerpt describe(const Finding& finding, const flow::Exchange& exchange) = 0;
  virtual Excerpt describe(const Finding& finding, const flow::Access& access) = 0;

 protected:
  ~Describer() = default;
};

struct Settings {
  Profile profile = Profile::deployed;
  // Whose findings are reported; empty: those of all rules. The others are asked, too: their findings explain
  // those of these.
  std::function<bool(const Rule&)> wants;
  // Several clocks, so that what comes first across directions is not certain. Unset: on the connections that
  // more than one tap saw.
  std::optional<bool> skewed;
  int64_t answer_within_ns = 10'000'000'000;  // for which a Call may wait for its answer
  Describer* describer = nullptr;             // null: findings have no Excerpt; outlives the Engine
};

// OperationFinder: which operation a fact is about, by name, as Subject::op: of an RPC, of a message of it,
// of memory that its Call advertised. Asked only where something was found, so that an audit that finds
// nothing reads no COMPOUND for it. It remembers nothing but its memory.
class OperationFinder {
 public:
  // Empty where it is not known. Good until the next is asked for.
  const std::string& of(const flow::Exchange& exchange);
  const std::string& of(const flow::Message& message);
  const std::string& of(const flow::Access& access);
  const std::string& of(const flow::Incident&) { return none(); }
  const std::string& of(const Ending&) { return none(); }
  const std::string& of(const attempt::Attempt&) { return none(); }

 private:
  const std::string& none() { return subject_.op.clear(), subject_.op; }
  const std::string& of_call(const flow::Message& message);

  timing::SubjectReader reader_;
  flow::Subject subject_;
  flow::Exchange made_;  // of a Call that has none yet
};

class Engine {
 public:
  // `settle_ns`: Options::settle_ns, after which what is hidden has had its time.
  Engine(Listener& listener, Settings settings, int64_t settle_ns);

  void on(const Event& event);
  void finish();  // the capture has ended; after the last event

  // By rule, in the order of the catalog; whole once it is finished.
  const std::vector<Tally>& tallies() const { return tallies_; }
  void add(const std::vector<Tally>& others);

 private:
  void judge(const flow::Message& message);
  void judge(const flow::Exchange& exchange);
  void judge(const flow::Access& access);
  void judge(const flow::Incident& incident);
  void judge(const ConnectionClosed& closed);
  void judge(const attempt::Attempt& attempt);

  Finding& begin(const track::Connection& connection, const Stamp& at);
  template <typename Check, typename Fact>
  void run(Shortlists<Check>& rules, const Fact& fact, size_t kind = 0);
  template <typename List, typename Fact>
  bool rightly_spared(const List& list, const Fact& fact);
  template <typename Entry, typename Fact>
  void file(const Entry& entry, const Fact& fact);
  void weigh(const Weighing::Weight& weight, uint8_t needs);
  template <typename Fact>
  void complete(Finding& finding, const Fact& fact);

  Weighing weighing_;
  std::vector<Tally> tallies_;
  Shortlists<CheckMessage> on_message_{tallies_};
  Shortlists<CheckExchange> on_exchange_{tallies_};
  Shortlists<CheckAccess> on_access_{tallies_};
  Shortlists<CheckIncident> on_incident_{tallies_};
  Shortlists<CheckEnding> on_ending_{tallies_};
  Shortlists<CheckAttempt> on_attempt_{tallies_};

  Docket docket_;
  Report report_;
  OperationFinder operations_;
  Describer* const describer_;
  absl::flat_hash_map<const track::Connection*, Ending> endings_;  // of those that have left something open
};

}  // namespace steertag::rules
