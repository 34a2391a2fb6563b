#include "incident/unconnected.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "attempt/words.h"
#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

using attempt::Attempt;
using attempt::Outcome;

// Which rule finds what ended so.
std::string_view rule_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::rejected:
    case Outcome::refused:
      return "SET-01";
    case Outcome::unanswered:
      return "SET-02";
    default:
      return "SET-03";
  }
}

// A REJ has a code, a RST has none, and silence may have any cause.
int says(const attempt::Try& like) {
  if (like.reason.kind == attempt::Reason::Kind::invalid_reply) {
    return 2;
  }
  switch (like.outcome) {
    case Outcome::rejected:
    case Outcome::terminated:
      return 3;
    case Outcome::refused:
      return 2;
    case Outcome::unconfirmed:
      return 1;
    case Outcome::unanswered:
      break;
  }
  return 0;
}

bool tells_more(const Attempt& x, const Attempt& y) {
  const auto rank = [](const Attempt& one) {
    return std::tuple(one.like.certain, says(one.like), one.like.last.time_ns);
  };
  return rank(x) > rank(y);
}

Incident incident_of(const Attempt& attempt) {
  Incident incident;
  incident.kind = Kind::not_connected;
  const bool came_up = attempt.then == attempt::Then::connection;
  incident.weight = came_up ? Weight::disturbed : Weight::broken;
  incident.begin_ns = attempt.like.first.time_ns;
  if (came_up) {
    incident.end_ns = attempt.like.last.time_ns;
    note_connection(incident, attempt.conn);
  }
  incident.by = attempt.like.by;
  if (incident.by.kind != base::Address::Kind::none) {
    incident.where = attempt::by_router(attempt)                              ? Where::network
                     : incident.by == attempt.like.connection.ends[0].address ? Where::client
                                                                              : Where::server;
  }
  if (!attempt.like.certain) {
    incident.certainty = rules::Certainty::possible;
  }
  incident.cost_ns = base::saturating_subtract(attempt.like.last.time_ns, attempt.like.first.time_ns);
  incident.frames = attempt.like.frames;
  note_rule(incident, rule_of(attempt.like.outcome));
  incident.what = Unconnected{.told = attempt, .others = {}};
  return incident;
}

void add(Incident& incident, const Attempt& attempt) {
  Unconnected& what = std::get<Unconnected>(incident.what);
  const int64_t end_ns =
      std::max(base::saturating_add(incident.begin_ns, incident.cost_ns), attempt.like.last.time_ns);
  what.others.push_back(attempt);
  incident.begin_ns = std::min(incident.begin_ns, attempt.like.first.time_ns);
  incident.cost_ns = base::saturating_subtract(end_ns, incident.begin_ns);
  for (const Stamp& at : attempt.like.frames) {
    note_frame(incident, at);
  }
  note_rule(incident, rule_of(attempt.like.outcome));
}

}  // namespace

std::vector<Incident> unconnected_incidents(const std::vector<Attempt>& attempts,
                                            const std::vector<bool>& told) {
  std::map<std::pair<base::Address, base::Address>, std::vector<const Attempt*>> in_vain;
  const auto ends = [](const Attempt& one) {
    return std::pair(attempt::client_of(one).address, attempt::server_of(one).address);
  };
  for (size_t i = 0; i < attempts.size(); ++i) {
    if (!told[i] && attempts[i].then != attempt::Then::connection) {
      in_vain[ends(attempts[i])].push_back(&attempts[i]);
    }
  }
  std::vector<Incident> found;
  for (size_t i = 0; i < attempts.size(); ++i) {
    if (told[i]) {
      continue;
    }
    if (attempts[i].then == attempt::Then::connection) {
      found.push_back(incident_of(attempts[i]));
      continue;
    }
    const std::vector<const Attempt*>& all = in_vain[ends(attempts[i])];
    if (all.front() != &attempts[i]) {
      continue;
    }
    const Attempt* const best = *std::min_element(
        all.begin(), all.end(), [](const Attempt* x, const Attempt* y) { return tells_more(*x, *y); });
    Incident& incident = found.emplace_back(incident_of(*best));
    for (const Attempt* one : all) {
      if (one != best) {
        add(incident, *one);
      }
    }
  }
  return found;
}

}  // namespace steertag::incident
