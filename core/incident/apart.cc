#include "incident/apart.h"

#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "incident/notes.h"
#include "incident/standouts.h"

namespace steertag::incident {
namespace {

using stats::Load;
using stats::Remark;
using stats::Standout;
using Spell = stats::Spells::Spell;
using Loads = std::vector<const Load*>;

int64_t length_ns(const stats::Span& span) {
  return base::saturating_subtract(span.end_ns, span.begin_ns);
}

// Whether it would be worth an incident, had it come once.
bool is_long(const Remark& remark, const Spell& spell) {
  const stats::Evidence& longest = spell.what.longest;
  switch (remark.kind) {
    case Standout::loss:
    case Standout::outage:
      return longest.weight >= stats::kOutageNs;
    case Standout::server:  // it is fast, but for these times
      return remark.percentile && longest.weight >= stats::kSlowOnceNs;
    case Standout::not_ready:
      return longest.disturbed >= stats::kNotReadyLeast;
    case Standout::congestion:
      return remark.load->is_paused(remark.load->held_longest) && longest.weight >= stats::kLostOnceNs;
    default:
      return false;
  }
}

// Those times that are far apart: further than either lasted.
std::vector<Spell> grave_times(const Remark& remark) {
  std::vector<Spell> times;
  for (const Spell& spell : remark.when.spells()) {
    if (!is_long(remark, spell)) {
      continue;
    }
    if (!times.empty() && base::saturating_subtract(spell.begin_ns, times.back().end_ns) <=
                              std::max(length_ns(times.back()), length_ns(spell))) {
      times.back().note(spell.begin_ns, spell.end_ns);
      times.back().what.add(spell.what);
    } else {
      times.push_back(spell);
    }
  }
  return times;
}

// The connection on which nothing got through then; null: none.
const Load* cut_off(const Spell& spell, const Loads& loads) {
  const auto then = [&](track::ConnectionNumber number) {
    const Load* const load = load_of(loads, number);
    const stats::EndLoad* const end = load != nullptr ? load->cut_off() : nullptr;
    const bool here = end != nullptr && end->outage.since.time_ns >= spell.begin_ns &&
                      end->outage.since.time_ns <= spell.end_ns;
    return here ? load : nullptr;
  };
  const std::vector<track::ConnectionNumber>& all = spell.what.connections;
  const auto found = std::find_if(all.begin(), all.end(), then);
  return then(found != all.end() ? *found : spell.what.longest.connection);
}

Remark remark_of(const Remark& whole, const Spell& spell, const Loads& loads) {
  Remark remark = whole;
  remark.once = true;
  remark.rpcs = spell.what.rpcs;
  remark.time_ns = spell.what.ns;
  remark.evidence = spell.what.longest;
  remark.when = {};
  remark.when.note(spell, spell.what);
  remark.dearest.clear();
  const Load* const load = load_of(loads, spell.what.longest.connection);
  remark.load = load != nullptr ? load : whole.load;
  if (whole.kind == Standout::not_ready && load != nullptr && load != whole.load) {
    remark.end = whole.end->address == load->client.address ? &load->client : &load->server;
  }
  if (whole.kind == Standout::loss || whole.kind == Standout::outage) {
    const Load* const dead = cut_off(spell, loads);
    remark.kind = dead != nullptr ? Standout::outage : Standout::loss;
    if (dead != nullptr) {
      remark.load = dead;
      remark.topic = nullptr;
      remark.evidence = {0, dead->cut_off()->outage.since, dead->number, 0};
      remark.time_ns = static_cast<uint64_t>(dead->cut_off()->outage.length_ns);
    }
  }
  return remark;
}

Incident one_of(const Incident& all, const Spell& spell, const Loads& loads) {
  Incident incident = all;
  incident.begin_ns = spell.begin_ns;
  incident.end_ns = spell.end_ns;
  incident.rpcs = std::min(spell.what.rpcs, all.rpcs);
  incident.cost_ns = static_cast<int64_t>(spell.what.ns);
  incident.connections = spell.what.connections;
  Remark remark = remark_of(std::get<Remark>(all.what), spell, loads);
  incident.frames.clear();
  note_frame(incident, remark.evidence.at);
  note_frame(incident, spell.what.longest.at);
  incident.what = std::move(remark);
  return incident;
}

}  // namespace

void tell_apart(std::vector<Incident>& found, const Loads& loads) {
  std::vector<Incident> told;
  for (Incident& one : found) {
    const Remark* const remark = std::get_if<Remark>(&one.what);
    const std::vector<Spell> times = remark != nullptr ? grave_times(*remark) : std::vector<Spell>();
    if (times.size() < 2 || times.size() > kMostApart) {
      told.push_back(std::move(one));
      continue;
    }
    for (const Spell& time : times) {
      told.push_back(one_of(one, time, loads));
    }
  }
  found = std::move(told);
}

LostPackets lost_then(const stats::SpellsOf<LostPackets>& lost, const Incident& incident) {
  const Remark* const remark = std::get_if<Remark>(&incident.what);
  if (remark == nullptr || !remark->once) {
    return lost.sum();
  }
  LostPackets then;
  for (const auto& spell : lost.spells()) {
    const int64_t from_ns = base::saturating_subtract(incident.begin_ns, stats::Spells::kApartNs);
    const int64_t to_ns = base::saturating_add(*incident.end_ns, stats::Spells::kApartNs);
    if (spell.begin_ns >= from_ns && spell.end_ns <= to_ns) {  // and none that was lost between the times
      then.add(spell.what);
    }
  }
  return then;
}

}  // namespace steertag::incident
