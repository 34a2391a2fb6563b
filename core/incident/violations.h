// Violations: what rules found, rolled up: the findings of one rule against one host, with how many there
// are, and the first of them. What events of their own tell (lost packets, NAKs, connections that do not come
// up, Calls that hang) is told apart, so that no incident shows it twice. Bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "base/address.h"
#include "frame.h"
#include "rules/finding.h"
#include "track/connection_number.h"

namespace steertag::incident {

struct Violation {
  static constexpr size_t kMostFrames = 16;

  const rules::Rule* rule = nullptr;
  base::Address by;  // none where nobody is to blame
  rules::Severity severity = rules::Severity::note;
  rules::Certainty certainty = rules::Certainty::possible;  // of the surest
  rules::Source source;
  uint64_t count = 0;
  std::string text;           // of the first
  std::vector<Stamp> frames;  // of the first, in order
  Stamp last;
  std::vector<track::ConnectionNumber> connections;  // the first, ascending
};

class Violations {
 public:
  static constexpr size_t kMost = 4096;
  static constexpr size_t kMostConnections = 64;  // of each

  void note(const rules::Finding& finding);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  // `fill_in` puts the final numbers of connections into a text.
  void take_over(const Violations& share, const Renumber& number,
                 const std::function<void(std::string&)>& fill_in);

  // By rule, severity, whether they are only possible, and host.
  const std::vector<Violation>& all() const { return all_; }

 private:
  void add(Violation&& more);

  std::vector<Violation> all_;
};

}  // namespace steertag::incident
