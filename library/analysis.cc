#include "steertag/analysis.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "history/in_force.h"
#include "library/feeding.h"
#include "library/own.h"
#include "library/summary_record.h"
#include "product/inspector.h"
#include "product/policy.h"
#include "product/product.h"
#include "product/stats.h"
#include "report/record/connection.h"
#include "report/record/finding.h"
#include "report/record/message.h"
#include "report/record/rpc.h"
#include "report/record/rule.h"
#include "report/record/stat.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "stats/attempts.h"
#include "stats/groups.h"
#include "stats/rpc.h"
#include "steertag/version.h"

namespace steertag::library {

namespace record = report::record;

// A product that prints nothing: it keeps what was wanted as structs that outlive it.
class Gathering final : public product::Product, public rules::Listener {
 public:
  Gathering(product::Context& context, const product::Policy& policy, const v0::Wanted& wanted)
      : Product(context),
        policy_(policy),
        wanted_(wanted),
        groups_(product::StatsOptions{.selection = {}, .by = wanted.stats_by}.grouping()) {
    if (wanted.findings) {
      Options options = for_reports() ? context.analyzer_for_reports() : context.analyzer();
      options.for_files = for_files();
      audit_.emplace(*this, *this, options, policy.settings(context.settings));
    }
  }

  rules::Audit* audit() override { return audit_ ? &*audit_ : nullptr; }
  bool for_reports() const override { return wanted_.rpcs || wanted_.stats; }
  bool for_files() const override { return for_reports(); }
  bool for_rules() const override { return wanted_.connections; }

  void on_finding(const rules::Finding& finding) override {
    policy_.weighed(finding, [this](const rules::Finding& weighed) {
      found_.add(weighed.severity);
      failed_ |= policy_.fails(weighed.severity, weighed.certainty);
      records_.findings.push_back(own<v0::Finding>(record::Finding{weighed}));
    });
  }

  v0::Records take() { return std::exchange(records_, {}); }

  v0::Outcome outcome(const Counters& counters) {
    v0::Outcome made;
    made.summary = own<v0::Summary>(SummaryRecord{counters, audit_ ? &found_ : nullptr, seen()});
    for (size_t i = 0; audit_ && i < rules::catalog().size(); ++i) {
      made.tallies.push_back(own<v0::Tally>(record::Tally{*rules::catalog()[i], audit_->tallies()[i]}));
    }
    made.failed = failed_ || (audit_ && !product::never_judged(policy_.require, audit_->tallies()).empty());
    attempts_.finish();
    const auto add = [&](const stats::Key* key, const stats::Totals& totals) {
      made.stats.push_back(own<v0::Stat>(record::Stat{{groups_.by(), key, std::nullopt, totals}}));
    };
    for (const stats::Group* group : groups_.dearest_first()) {
      add(&group->key, group->totals);
    }
    groups_.rest().count != 0 ? add(nullptr, groups_.rest()) : void();
    return made;
  }

 private:
  void established(const track::Connection& connection, const history::Ground& ground) override {
    if (wanted_.connections && connection.rpcrdma) {
      const history::InForce in_force = history::in_force(ground);
      records_.connections.push_back(
          own<v0::Connection>(record::Connection{connection, 0, report::Stage::ended, &in_force}));
    }
  }
  void message(const flow::Message& message) override {
    if (wanted_.messages) {
      records_.messages.push_back(own<v0::Message>(record::Message{message}));
    }
  }
  void timed(const flow::Exchange& exchange) override {
    if (wanted_.rpcs) {
      records_.rpcs.push_back(own<v0::Rpc>(record::Rpc{exchange}));
    }
    if (wanted_.stats) {
      attempts_.add(stats::rpc_of(exchange));
    }
  }

  const product::Policy& policy_;
  const v0::Wanted wanted_;
  std::optional<rules::Audit> audit_;
  v0::Records records_;
  report::FindingCounts found_;
  bool failed_ = false;
  stats::Groups groups_;
  stats::Attempts attempts_{[this](const stats::Rpc& rpc) { groups_.add(rpc); }};
};

// Nothing is printed.
struct Unprinted final : product::Records {
  report::Buffer text;

  report::Buffer& buffer() override { return text; }
  void record_done() override { text.clear(); }
};

}  // namespace steertag::library

namespace steertag::v0 {

struct Analysis::State {
  std::string error;
  product::Settings settings;
  product::Policy policy;
  library::Unprinted unprinted;
  library::Gathering* gathering = nullptr;  // the product of:
  product::Inspector inspector;
  uint64_t frames = 0;

  State(const Settings& chosen, const Wanted& wanted)
      : settings(library::reading_of(chosen)),
        policy(library::policy_of(chosen, error)),
        inspector({.settings = settings, .records = unprinted, .style = {}}, [&](product::Context& context) {
          auto made = std::make_unique<library::Gathering>(context, policy, wanted);
          gathering = made.get();
          return made;
        }) {
    for (const std::string& word : wanted.stats_by) {
      constexpr std::string_view kKeys[] = {"op", "conn", "client", "server", "file", "user"};
      if (std::find(std::begin(kKeys), std::end(kKeys), word) == std::end(kKeys) && error.empty()) {
        error = word + ": statistics are by op, conn, client, server, file and user";
      }
    }
  }
};

Analysis::Analysis(const Settings& settings, const Wanted& wanted)
    : state_(library::made<State>(settings, wanted)) {}
Analysis::~Analysis() = default;
Analysis::Analysis(Analysis&& other) noexcept = default;
Analysis& Analysis::operator=(Analysis&& other) noexcept = default;

void Analysis::feed(const Frame& frame) {
  library::guarded(state_, [&](State& state) {
    const steertag::Frame one = library::engine_frame(frame, ++state.frames);
    state.inspector.feed({&one, 1});
  });
}

Records Analysis::take() {
  Records taken;
  library::guarded(state_, [&](State& state) { taken = state.gathering->take(); });
  return taken;
}

Outcome Analysis::finish() {
  Outcome outcome;
  library::guarded(state_, [&](State& state) {
    state.inspector.finish();
    outcome = state.gathering->outcome(state.inspector.counters());
  });
  return outcome;
}

const std::string& Analysis::error() const {
  return library::error_of(state_);
}

std::vector<Rule> rules() {
  return library::quietly<std::vector<Rule>>([] {
    std::vector<Rule> all;
    for (const rules::Rule* rule : steertag::rules::catalog()) {
      all.push_back(library::own<Rule>(report::record::Rule{*rule, true}));
    }
    return all;
  });
}

}  // namespace steertag::v0
