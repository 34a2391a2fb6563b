// What an Analyzer tells of attempts, for tests: all of them, or in a sentence each.
//
// A sentence has how many tries, the outcome, the reason, who ended it, and what the
// client did next: "3 rejected REJ 28 by 10.0.0.2 then none".
#pragma once

#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {

using attempt::Attempt;
using scenario::Fabric;

class Watch final : public Observer {
 public:
  std::vector<Attempt> attempts;

  void on(const Event& event) override {
    if (const auto* seen = std::get_if<AttemptSeen>(&event)) {
      attempts.push_back(seen->attempt);
    }
  }
};

inline std::vector<Attempt> attempts_of(const Trace& trace, Options options = {}) {
  Watch watch;
  Analyzer analyzer(watch, options);
  feed_to_end(analyzer, trace);
  return watch.attempts;
}

// Sentence by sentence.
inline std::string told(const std::vector<Attempt>& attempts) {
  static constexpr std::string_view kOutcomes[] = {"rejected", "refused", "unanswered", "unconfirmed",
                                                   "terminated"};
  static constexpr std::string_view kThen[] = {"none", "connection", "tcp"};
  std::string text;
  for (const Attempt& one : attempts) {
    const std::string reason = attempt::text(one.like.reason);
    std::string by = one.like.by.text();
    if (by.starts_with("::ffff:")) {  // as a GID has it
      by.erase(0, 7);
    }
    text += (text.empty() ? "" : "; ") + std::to_string(one.tries) + " " +
            std::string(kOutcomes[static_cast<size_t>(one.like.outcome)]) +
            (reason.empty() ? "" : " " + reason) + (by.empty() ? "" : " by " + by) + " then " +
            std::string(kThen[static_cast<size_t>(one.then)]);
  }
  return text;
}

inline std::string told(const std::string& scenario, Fabric fabric) {
  return told(attempts_of(compiled(scenario, fabric)));
}

inline const std::string kRpc = "client> call nfs3 GETATTR\nserver> reply\n";

}  // namespace steertag::support
