// Report: what a check has at hand besides its fact: where to say that a
// requirement was broken, and what the run was asked for.
//
//   report("Read segment {} has Position {}, not a multiple of 4", i, position)
//       .in(segment.at).with(call.at);
//
// Text is made here, so only once something is found, and of a habit only where it is new.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/docket.h"
#include "rules/finding.h"
#include "rules/upper_layer.h"

namespace steertag::rules {

class Report {
 public:
  // Violations of one rule by one fact that are reported one by one.
  static constexpr size_t kMostAlike = 16;

  // What can still be said of the violation just reported.
  class Entry {
   public:
    explicit Entry(Finding& finding) : finding_(finding) {}
    Entry& at(const Stamp& frame) {  // otherwise that of the fact
      finding_.at = frame;
      std::erase(finding_.related, frame);
      return *this;
    }
    Entry& in(const Range& where) { return finding_.where = where, *this; }  // its place in the message
    Entry& with(const Stamp& frame) {                                        // evidence, each frame once
      std::vector<Stamp>& related = finding_.related;
      if (frame != finding_.at && std::find(related.begin(), related.end(), frame) == related.end()) {
        related.push_back(frame);
      }
      return *this;
    }
    Entry& source(const Source& source) { return finding_.source = source, *this; }
    Entry& severity(Severity severity) { return finding_.severity = severity, *this; }
    // A message that is missing from the capture could explain it: weighed as by needs_no_loss.
    Entry& unless_lost() { return finding_.loss_explains = true, *this; }
    // No surer than this.
    Entry& at_most(Certainty certainty) {
      finding_.certainty = std::min(finding_.certainty, certainty);
      return *this;
    }
    Entry& blame(Blame blame, rdma::Side by) { return finding_.blame = blame, finding_.by = by, *this; }
    Entry& blame_nobody() { return finding_.blame = Blame::undecided, finding_.by.reset(), *this; }
    // An RPC's Call is at fault, not its Reply.
    Entry& of_call(const flow::Exchange& exchange) {
      finding_.at = *exchange.call;
      finding_.related.clear();
      return blame(Blame::requester, exchange.requester);
    }
    Entry& with_patience(const Patience& patience) { return finding_.patience = patience, *this; }
    Entry& of(uint32_t xid) { return finding_.xid = xid, *this; }

   private:
    Finding& finding_;
  };

  // Cold: checks run on every message and find nothing, so what makes the text is kept out of their way.
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] Entry operator()(fmt::format_string<Args...> format, Args&&... args) {
    Finding& finding = begin();
    if (!wordless_) {
      finding.text = fmt::format(format, std::forward<Args>(args)...);
    }
    return Entry(finding);
  }

  // The newest finding on this connection by one of these rules or families, which `fits`; null where there
  // is none. For checks of anything that is not reported thousands of times a second.
  template <typename Fits>
  const Finding* earlier(std::initializer_list<std::string_view> words, const Fits& fits) const {
    return docket_.newest(*model_.connection, [&](const Finding& finding) {
      const auto by = [&](std::string_view word) { return finding.rule->id.starts_with(word); };
      return std::any_of(words.begin(), words.end(), by) && fits(finding);
    });
  }
  const Finding* earlier(std::initializer_list<std::string_view> words) const {
    return earlier(words, [](const Finding&) { return true; });
  }

  Profile profile() const { return profile_; }
  // For how long a Call may wait for its answer, ns.
  int64_t answer_within_ns() const { return answer_within_ns_; }
  bool strict() const { return profile_ == Profile::strict; }
  bool rfc5666() const { return profile_ == Profile::rfc5666; }

  // Of the Exchange that is judged; for checks of exchanges.
  UpperLayer& upper_layer() { return upper_layer_; }

 private:
  friend class Engine;
  Report(const Docket& docket, Profile profile, int64_t answer_within_ns)
      : docket_(docket), profile_(profile), answer_within_ns_(answer_within_ns) {}

  Finding& begin() {
    join();
    Finding& finding = found_.emplace_back(model_);
    finding.rule = rule_;
    finding.severity = rule_->severity;
    finding.source = rule_->source;
    return finding;
  }
  // Of many alike, the latest becomes one more that another stands for.
  void join();

  const Docket& docket_;
  Profile profile_;
  int64_t answer_within_ns_;
  UpperLayer upper_layer_;
  const Rule* rule_ = nullptr;  // whose check is running
  bool wordless_ = false;       // what it finds will only be counted, as far as is known
  Finding model_;               // what every violation of the fact at hand begins as
  std::vector<Finding> found_;  // by the check that is running
};

inline void Report::join() {
  if (found_.size() <= kMostAlike) {
    return;
  }
  const Finding& latest = found_.back();
  const auto alike = std::find_if(found_.rbegin() + 1, found_.rend(), [&](const Finding& other) {
    return other.severity == latest.severity && other.certainty == latest.certainty &&
           other.loss_explains == latest.loss_explains && other.blame == latest.blame &&
           other.by == latest.by;
  });
  if (alike != found_.rend()) {
    ++alike->count;
    found_.pop_back();
  }
}

}  // namespace steertag::rules
