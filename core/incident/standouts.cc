#include "incident/standouts.h"

#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"

namespace steertag::incident {
namespace {

using stats::Remark;
using stats::Standout;
using Loads = std::vector<const stats::Load*>;

Kind kind_of(const Remark& remark) {
  const bool callback = remark.topic != nullptr && remark.topic->callback;  // which the client answers
  switch (remark.kind) {
    case Standout::credits:
      return Kind::credits;
    case Standout::server:
    case Standout::offset:
      return callback ? Kind::slow_client : Kind::slow_server;
    case Standout::client:
      return callback ? Kind::slow_server : Kind::slow_client;
    case Standout::data:
    case Standout::distance:
      return Kind::slow_network;
    case Standout::failures:
      return remark.failure.starts_with("ERR_") || remark.failure.starts_with("RDMA2_ERR_")
                 ? Kind::transport_error
                 : Kind::nfs_error;
    case Standout::retries:  // a Responder that had the Call before, and did not answer it
      return !remark.ignored ? Kind::loss : callback ? Kind::slow_client : Kind::slow_server;
    case Standout::not_ready:
      return Kind::receiver_not_ready;
    case Standout::congestion:
      return Kind::congestion;
    default:
      return Kind::loss;
  }
}

// From what was sent again first to what was last.
stats::Span sent_again(const stats::Load& load) {
  stats::Span span;
  for (const stats::EndLoad* one : {&load.client, &load.server}) {
    if (one->retransmitted != 0) {
      span.note(one->first_again.time_ns, one->last_again.time_ns);
    }
  }
  return span;
}

// RPCs that waited for what was lost began before it was. Who waited longest had waited for so long when it
// was sent again.
stats::Spells lost_when(const Remark& remark, const stats::Load& load) {
  const stats::Span again = sent_again(load);
  if (!again.any() || remark.when.count() != 1) {
    return remark.when;
  }
  const int64_t waited_ns = std::max<int64_t>(remark.evidence.weight, 0);
  const int64_t lost_ns =
      std::max(remark.when.whole().begin_ns, base::saturating_subtract(again.begin_ns, waited_ns));
  stats::Spells spells;
  spells.note(std::min(lost_ns, again.begin_ns), again.end_ns, remark.when.sum());
  return spells;
}

// It is no RPC, but what to look at.
stats::Hit outage(const Remark& remark) {
  stats::Hit hit = stats::Hit::of(remark.evidence);
  hit.longest.weight = static_cast<int64_t>(remark.time_ns);
  hit.rpcs = hit.ns = 0;
  return hit;
}

// RPCs that waited for what was lost may have been sent again as well: they count once.
stats::Spells times_alone(const stats::Spells& spells) {
  stats::Spells times;
  for (const stats::Span& one : spells.spells()) {
    times.note(one);
  }
  return times;
}

// When it was, as far as that is known; `load`: of its connection.
stats::Spells spells_of(const Remark& remark, const stats::Load* load) {
  stats::Spells spells =
      remark.kind == Standout::loss && load != nullptr ? lost_when(remark, *load) : remark.when;
  if (remark.kind == Standout::retries) {
    spells = times_alone(spells);
  }
  const int64_t at_ns = remark.evidence.at.time_ns, weight_ns = std::max<int64_t>(remark.evidence.weight, 0);
  if (remark.kind == Standout::outage) {
    const auto length_ns = static_cast<int64_t>(remark.time_ns);
    spells.note(at_ns, base::saturating_add(at_ns, length_ns), outage(remark));
  } else if (remark.kind == Standout::reconnect) {  // of the Call that was sent again, so much later
    spells.note(base::saturating_subtract(at_ns, weight_ns), at_ns);
  } else if (!spells.any() && (load == nullptr || (remark.rpcs == 1 && weight_ns > 0))) {
    spells.note(at_ns, base::saturating_add(at_ns, weight_ns));
  }
  return spells;
}

// Of several times, the one of what its sentence names.
void set_spell(Incident& incident) {
  const Remark& remark = std::get<Remark>(incident.what);
  if (remark.when.any()) {
    const stats::Span& spell = remark.when.at(remark.evidence.at.time_ns);
    incident.begin_ns = spell.begin_ns;
    incident.end_ns = spell.end_ns;
  }
}

// Where it is not known when it was: from what was sent again first to what was last, else all the time.
void set_times(Incident& incident, const stats::Load& load) {
  incident.begin_ns = load.first.time_ns;
  incident.end_ns = load.last.time_ns;
  const stats::Span again = sent_again(load);
  if (incident.kind == Kind::loss && again.any()) {
    incident.begin_ns = again.begin_ns;
    incident.end_ns = again.end_ns;
  }
}

void set_party(Incident& incident, const Remark& remark) {
  const bool callback = remark.topic != nullptr && remark.topic->callback;
  const auto blame = [&](const base::Address& whom, bool client) {
    incident.by = whom;
    incident.where = client ? Where::client : Where::server;
  };
  incident.where = where_by_name(incident.kind);
  switch (incident.kind) {
    case Kind::slow_server:
    case Kind::slow_client:
      if (remark.kind != Standout::client) {
        incident.by = remark.topic->server;
      } else if (remark.load != nullptr) {
        incident.by = (callback ? remark.load->server : remark.load->client).address;
      }
      return;
    case Kind::credits:
      if (remark.load != nullptr) {
        blame((callback ? remark.load->client : remark.load->server).address, callback);
      }
      return;
    case Kind::receiver_not_ready:
      return blame(remark.end->address, remark.end == &remark.load->client);
    case Kind::nfs_error:
    case Kind::transport_error:
      incident.where = callback ? Where::client : Where::server;
      return;
    default:
      incident.where = Where::network;
  }
}

const base::Address* server_of(const Remark& remark) {
  return remark.load != nullptr                               ? &remark.load->server.address
         : remark.topic != nullptr && !remark.topic->callback ? &remark.topic->server
                                                              : nullptr;
}

void merge_times(Incident& known, const Incident& more) {
  Remark& one = std::get<Remark>(known.what);
  const Remark& other = std::get<Remark>(more.what);
  const bool when = one.when.any(), other_when = other.when.any();
  one.when.note(other.when);
  if (!when && !other_when) {
    known.begin_ns = std::min(known.begin_ns, more.begin_ns);
    known.end_ns = std::max(known.end_ns, more.end_ns);
  }
}

void merge_hit(Incident& known, const Incident& more) {
  for (const track::ConnectionNumber number : more.connections) {
    note_connection(known, number);
  }
  for (const Stamp& at : more.frames) {
    note_frame(known, at);
  }
  for (const std::string_view rule : more.rules) {
    note_rule(known, rule);
  }
}

// `ways`: they are the same, seen in two ways; otherwise they add up.
void merge(Incident& known, Incident&& more, bool ways) {
  merge_times(known, more);
  if (!ways) {
    known.rpcs += more.rpcs;
    known.cost_ns = base::saturating_add(known.cost_ns, more.cost_ns);
  } else if (more.certainty >= known.certainty) {
    known.rpcs = std::max(known.rpcs, more.rpcs);
    known.cost_ns = std::max(known.cost_ns, more.cost_ns);
  }
  known.certainty = std::max(known.certainty, more.certainty);
  // What nothing got through explains best.
  Remark &one = std::get<Remark>(known.what), &other = std::get<Remark>(more.what);
  const bool better = other.kind == Standout::outage || one.kind == Standout::outlier;
  if (ways && better) {
    other.when = std::move(one.when);
    std::swap(one, other);
    std::swap(known.frames, more.frames);
  }
  set_spell(known);
  merge_hit(known, more);
}

// --- what is only another side of the same

// Whether all of `part` lies in one time of `whole`, but for so little of it, and on a connection of it.
bool within(const Incident& part, const Incident& whole) {
  constexpr int64_t kTolerated = 10;
  const stats::Spells& times = std::get<Remark>(whole.what).when;
  const stats::Spells& own = std::get<Remark>(part.what).when;
  if (!times.any() || own.count() != 1) {
    return false;
  }
  const stats::Span mine = own.whole(), theirs = times.at(mine.begin_ns);
  const int64_t tolerated_ns = (mine.end_ns - mine.begin_ns) / kTolerated;
  return theirs.begin_ns - tolerated_ns <= mine.begin_ns && mine.end_ns <= theirs.end_ns + tolerated_ns &&
         std::any_of(part.connections.begin(), part.connections.end(), [&](track::ConnectionNumber number) {
           return std::find(whole.connections.begin(), whole.connections.end(), number) !=
                  whole.connections.end();
         });
}

// Calls waited for credits, most of it once, since the server answered none of those before.
bool is_stall(const Incident& credits, const Incident& slow) {
  const Remark& remark = std::get<Remark>(credits.what);
  return credits.kind == Kind::credits && slow.kind == Kind::slow_server && remark.topic != nullptr &&
         remark.evidence.weight >= stats::kSlowOnceNs &&
         static_cast<uint64_t>(remark.evidence.weight) >= remark.time_ns / 2 && within(credits, slow);
}

// What was sent again was sent while pause frames had stopped a link.
bool is_pause(const Incident& loss, const Incident& congestion) {
  const Remark& remark = std::get<Remark>(congestion.what);
  return loss.kind == Kind::loss && congestion.kind == Kind::congestion &&
         remark.load->is_paused(remark.load->held_longest) && within(loss, congestion);
}

// Whether `incident` is told with a known one, or the other way round.
bool take_in(std::vector<Incident>& found, Incident& incident) {
  for (Incident& known : found) {
    if (!std::holds_alternative<Remark>(known.what)) {
      continue;
    }
    if (is_pause(incident, known) || is_pause(known, incident)) {
      if (is_pause(known, incident)) {
        std::swap(known, incident);
      }
      merge_hit(known, incident);
      known.cost_ns = std::max(known.cost_ns, incident.cost_ns);
      return true;
    }
    if (is_stall(incident, known) || is_stall(known, incident)) {
      if (is_stall(known, incident)) {
        std::swap(known, incident);
      }
      merge_hit(known, incident);
      known.rpcs += incident.rpcs;
      known.cost_ns = base::saturating_add(known.cost_ns, incident.cost_ns);
      return true;
    }
  }
  return false;
}

}  // namespace

const stats::Load* load_of(const Loads& loads, track::ConnectionNumber number) {
  const auto found =
      std::lower_bound(loads.begin(), loads.end(), number,
                       [](const stats::Load* load, uint32_t value) { return load->number < value; });
  return found != loads.end() && (*found)->number == number ? *found : nullptr;
}

bool is_grave(const Remark& remark) {
  constexpr int64_t kLongNs = 100'000'000;
  switch (remark.kind) {
    case Standout::outlier:
      return remark.evidence.weight >= kLongNs;
    case Standout::server:
    case Standout::offset:
    case Standout::client:
    case Standout::data:
    case Standout::distance:
      return remark.evidence.weight >= stats::kSlowOnceNs ||
             remark.time_ns / std::max<uint64_t>(remark.rpcs, 1) >= uint64_t{kLongNs};
    case Standout::reordering:  // what it did is told as a loss, or it did nothing
      return false;
    default:
      return true;
  }
}

Incident incident_of(const Remark& remark, const Loads& loads) {
  Incident incident;
  incident.kind = kind_of(remark);
  const bool disturbs = incident.kind == Kind::loss || incident.kind == Kind::receiver_not_ready ||
                        incident.kind == Kind::nfs_error || incident.kind == Kind::transport_error;
  incident.weight = disturbs ? Weight::disturbed : Weight::slow;
  const bool hit = remark.hit.rpcs != 0;
  incident.rpcs = hit ? remark.hit.rpcs : remark.rpcs;
  incident.cost_ns = static_cast<int64_t>(hit ? remark.hit.ns : remark.time_ns);
  incident.certainty =
      remark.kind == Standout::outlier ? rules::Certainty::possible : rules::Certainty::likely;
  set_party(incident, remark);
  if (remark.evidence.any()) {
    note_frame(incident, remark.evidence.at);
  }
  for (const Remark::Dear& dear : remark.dearest) {
    note_frame(incident, dear.evidence.at);
  }
  note_connection(incident, remark.load != nullptr ? remark.load->number : remark.evidence.connection);
  for (const track::ConnectionNumber number : remark.hit.connections) {
    note_connection(incident, number);
  }
  const stats::Load* const load =
      remark.load != nullptr ? remark.load : load_of(loads, remark.evidence.connection);
  Remark told = remark;
  told.when = spells_of(remark, load);
  if (!told.when.any() && load != nullptr) {
    set_times(incident, *load);
  }
  incident.what = std::move(told);
  set_spell(incident);
  return incident;
}

void note_rules(Incident& incident, const Violations& violations) {
  for (const Violation& one : violations.all()) {
    const bool here =
        std::any_of(one.connections.begin(), one.connections.end(), [&](track::ConnectionNumber number) {
          return std::find(incident.connections.begin(), incident.connections.end(), number) !=
                 incident.connections.end();
        });
    if (incident.kind == Kind::receiver_not_ready && one.rule->id == "NET-04" &&
        (one.by == incident.by || one.by.kind == base::Address::Kind::none) && here) {
      note_rule(incident, one.rule->id);
    }
  }
}

void join(std::vector<Incident>& found, Incident&& incident) {
  const Remark& remark = std::get<Remark>(incident.what);
  const base::Address* const server = server_of(remark);
  if (take_in(found, incident)) {
    return;
  }
  for (Incident& known : found) {
    const Remark* const other = std::get_if<Remark>(&known.what);
    if (other == nullptr || known.kind != incident.kind || server == nullptr ||
        server_of(*other) == nullptr || *server_of(*other) != *server) {
      continue;
    }
    if (incident.kind != Kind::loss && (other->kind != remark.kind || known.by != incident.by)) {
      continue;
    }
    merge(known, std::move(incident), other->kind != remark.kind);
    return;
  }
  found.push_back(std::move(incident));
}

}  // namespace steertag::incident
