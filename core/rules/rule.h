// Rule: one requirement on RPC-over-RDMA traffic and the function that holds
// traffic against it. A rule has no memory: what went before is a fact of
// track/ or flow/, and what a capture may hide is the engine's business, by the
// needs that the rule declares.
//
// To add one: its definition and check in the .cc of its family, its line in
// catalog.def, its page beside the .cc; CONTRIBUTING.md walks through it.
#pragma once

#include <cstdint>
#include <string_view>

#include "attempt/attempt.h"
#include "flow/access.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "rules/kinds.h"
#include "rules/plain.h"

namespace steertag::rules {

struct Ending;
class Report;

enum class Severity : uint8_t { note, warning, error };
enum class Certainty : uint8_t { possible, likely, definite };
enum class Profile : uint8_t {
  deployed,  // known behaviour of shipping implementations is not held against them
  strict,    // the text as written
  rfc5666,   // version one as RFC 5666 had it
};

// The clause that a rule holds traffic to.
struct Source {
  std::string_view document;  // "RFC 8166", "version-two-02", "IBTA"
  std::string_view section;   // "4.3.1"
};

// What must have been captured for a verdict. The engine calls the check
// anyway; where the need is not met its verdict counts as undecided, and a
// violation is not reported, or only as possible.
enum Need : uint8_t {
  needs_nothing = 0,
  needs_setup = 1,      // both halves of the connection setup, private data whole
  prefers_setup = 2,    // without it a violation is only possible
  needs_both_ways = 4,  // packets of both directions
  needs_no_loss = 8,    // nothing missing between what is compared
  needs_end = 16,       // that the answer can no longer come
  needs_unbroken = 32,  // nothing missing between a Reply and its Call; after a gap only possible
};

// What a check found out. Reported violations turn `done` into "broken".
enum class Outcome : uint8_t {
  not_applicable,  // the rule says nothing about this
  done,            // judged
  undecided,       // it would apply, but the capture does not show whether it holds
};

using CheckMessage = Outcome (*)(const flow::Message&, Report&);     // each message, as it is seen
using CheckExchange = Outcome (*)(const flow::Exchange&, Report&);   // each RPC, when its story is over
using CheckAccess = Outcome (*)(const flow::Access&, Report&);       // each RDMA Write and Read Request
using CheckIncident = Outcome (*)(const flow::Incident&, Report&);   // NAK, Terminate, gap, broken transport
using CheckEnding = Outcome (*)(const Ending&, Report&);             // each connection, when it is over
using CheckAttempt = Outcome (*)(const attempt::Attempt&, Report&);  // what did not become one, at the end

// A check of RDMA Writes alone, or of RDMA Reads.
template <CheckAccess check>
Outcome of_writes(const flow::Access& access, Report& report) {
  return access.reading ? Outcome::not_applicable : check(access, report);
}
template <CheckAccess check>
Outcome of_reads(const flow::Access& access, Report& report) {
  return access.reading ? check(access, report) : Outcome::not_applicable;
}

struct Rule {
  std::string_view id;                  // "CHK-02"; never renumbered
  std::string_view name;                // what it finds: "misaligned-read-position"
  Severity severity = Severity::error;  // unless the rule says another
  Source source;                        // the main clause
  std::string_view also = {};  // ledgers of requirements/ that name it, too: "rfc5666,version-two-02"
  uint8_t needs = needs_nothing;
  Kinds about = kinds::any;  // the messages that `message` is called for
  // What an end does, it does all the time: reported once a connection, when it is over, with a count.
  bool habit = false;
  // Any of these; null where the rule does not look at such a fact.
  CheckMessage message = nullptr;
  CheckExchange exchange = nullptr;
  CheckAccess access = nullptr;
  CheckIncident incident = nullptr;
  CheckEnding ending = nullptr;
  CheckAttempt attempt = nullptr;
  // What these say of plain facts, as far as it is known beforehand (plain.h).
  plain::Says plain_message = {}, plain_exchange = {}, plain_access = {};
};

// Every rule by its name; catalog.cc makes the list of them.
#define RULE(name) extern const Rule name;
#include "rules/catalog.def"
#undef RULE

}  // namespace steertag::rules
