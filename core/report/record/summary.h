// The members of {"type":"summary"}, the last line of every command that reads captures, of {"type":"file"}, the
// same of one of several files that were audited apart, and of "side", one of two captures that were compared.
// Each is said once for all that print them or describe them (member.h).
#pragma once

#include <string_view>

#include "report/diff.h"
#include "report/each.h"
#include "report/record/member.h"
#include "report/stream.h"

namespace steertag::report::record {

// "findings"
template <typename To>
void tell_findings(To& to, const FindingCounts& found) {
  to.number({"error", "count", "Findings of severity error."}, found.error);
  to.number({"warning", "count", "Findings of severity warning."}, found.warning);
  to.number({"note", "count", "Findings of severity note."}, found.note);
  to.number({"known", "count",
             "Findings that a baseline or the configuration accepts, where there is one that accepts any."},
            found.known);
}

// How much was read. The sentences differ with whose it is.
struct Amounts {
  std::string_view messages, rpcs;
};
template <typename To>
void tell_amounts(To& to, const Counters& counters, const Amounts& says) {
  to.number({"frames", "count", "Frames that were read."}, counters.frames);
  to.number({"messages", "count", says.messages}, counters.messages);
  to.number({"rpcs", "count", says.rpcs}, counters.exchanges);
  to.number({"connections", "count", "Connections that carry RPC-over-RDMA."}, counters.connections);
}

// What is missing.
struct Lacks {
  std::string_view lost, evicted;
};
template <typename To>
void tell_lacks(To& to, const Counters& counters, const Lacks& says) {
  to.number({"lost", "count", says.lost}, counters.lost);
  to.some({"dropped", "some",
           "Frames that whoever captured it says were lost, of whatever kind; absent: it says of none."},
          counters.dropped);
  to.some({"memory_evicted", "some", says.evicted}, counters.given_up);
}

template <typename To>
void tell_end(To& to, std::string_view cut, std::string_view says_of_cut, bool damaged,
              std::string_view says_of_damaged) {
  to.text_if({"cut", R"("enum": ["truncated", "interrupted"])", says_of_cut}, cut);
  to.truth({"damaged", "", says_of_damaged}, damaged);
}

}  // namespace steertag::report::record
