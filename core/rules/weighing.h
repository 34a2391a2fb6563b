// Weighing: what a capture may hide of a fact, and so how sure a finding about it
// can be. It knows what was captured, what was lost and how long ago, and it knows
// no rule, only what one needs.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/access.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "rules/ending.h"
#include "rules/rule.h"
#include "rules/tally.h"

namespace steertag::rules {

// How much of a connection's past is known.
enum class Knowledge : uint8_t {
  partial,  // something was missing lately
  settled,  // something was missing, or shown out of order, but what it hides has had its time
  whole,
};

struct Weighing {
  int64_t settle_ns = 0;  // Options::settle_ns
  // Several clocks, so that what comes first across directions is not certain. Unset: on the connections that
  // more than one tap saw.
  std::optional<bool> skewed = {};

  Knowledge knowledge(const track::Connection& connection, int64_t now_ns) const;

  // Needs that the fact does not meet.
  unsigned unmet(const flow::Message& message) const;
  unsigned unmet(const flow::Exchange& exchange) const;
  unsigned unmet(const flow::Access& access) const;
  unsigned unmet(const flow::Incident& incident) const;
  unsigned unmet(const Ending& ending) const;
  unsigned unmet(const attempt::Attempt&) const { return needs_nothing; }
  // The first of them; there is one.
  static Lack lack_of(unsigned unmet);

  // How sure a finding about such a fact can be.
  struct Weight {
    Certainty most = Certainty::definite;
    Certainty most_if_lossy = Certainty::definite;  // where something that is missing could explain it
    bool live = false;  // the fact is judged as it comes: what explains it may still come to light
  };
  // `needs`: those of the rule that found it.
  Weight weigh(const flow::Message& message, uint8_t needs) const;
  Weight weigh(const flow::Exchange& exchange, uint8_t needs) const;
  Weight weigh(const flow::Access& access, uint8_t needs) const;
  Weight weigh(const flow::Incident& incident, uint8_t needs) const;
  Weight weigh(const Ending& ending, uint8_t needs) const;
  // What may be missing, the attempt knows itself.
  Weight weigh(const attempt::Attempt&, uint8_t /*needs*/) const { return {}; }
};

}  // namespace steertag::rules
