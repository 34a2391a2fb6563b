// Report: what a check has at hand besides its fact: where to say that a
// requirement was broken, and what the run was asked for.
//
//   report("Read segment {} has Position {}, not a multiple of 4", i, position)
//       .in(segment.at).with(call.at);
//
// Text is made here, so only once something is found.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/finding.h"
#include "rules/upper_layer.h"

namespace steertag::rules {

class Report {
 public:
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
    Entry& of(uint32_t xid) { return finding_.xid = xid, *this; }

   private:
    Finding& finding_;
  };

  // Cold: checks run on every message and find nothing, so what makes the text is kept out of their way.
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] Entry operator()(fmt::format_string<Args...> format, Args&&... args) {
    Finding& finding = begin();
    finding.text = fmt::format(format, std::forward<Args>(args)...);
    return Entry(finding);
  }

  // The newest finding on this connection by one of these rules or families, which `fits`; null where there
  // is none.
  template <typename Fits>
  const Finding* earlier(std::initializer_list<std::string_view> words, const Fits& fits) const {
    for (auto finding = earlier_.rbegin(); finding != earlier_.rend(); ++finding) {
      for (const std::string_view word : words) {
        if ((*finding)->rule->id.starts_with(word) && fits(**finding)) {
          return *finding;
        }
      }
    }
    return nullptr;
  }
  const Finding* earlier(std::initializer_list<std::string_view> words) const {
    return earlier(words, [](const Finding&) { return true; });
  }

  Profile profile() const { return profile_; }
  bool strict() const { return profile_ == Profile::strict; }
  bool rfc5666() const { return profile_ == Profile::rfc5666; }

  // Of the Exchange that is judged; for checks of exchanges.
  UpperLayer& upper_layer() { return upper_layer_; }

 private:
  friend class Engine;
  Finding& begin() {
    Finding& finding = found_.emplace_back(model_);
    finding.rule = rule_;
    finding.severity = rule_->severity;
    finding.source = rule_->source;
    return finding;
  }

  Profile profile_ = Profile::deployed;
  UpperLayer upper_layer_;
  const Rule* rule_ = nullptr;  // whose check is running
  Finding model_;               // what every violation of the fact at hand begins as
  std::vector<Finding> found_;  // by the check that is running
  std::vector<const Finding*>
      earlier_;  // of the connection, the newest last; for all but accesses and messages that are no errors
};

}  // namespace steertag::rules
